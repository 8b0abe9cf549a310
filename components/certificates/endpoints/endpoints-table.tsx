import { fixedEndpointColumns } from "@/components/certificates/endpoints/endpoint-columns";
import { EndpointHeads } from "@/components/certificates/endpoints/endpoint-heads";
import { EndpointRow } from "@/components/certificates/endpoints/endpoint-row";
import { Table } from "@/components/table/table";
import type { CertificateEndpoint } from "@/lib/certificates/contract";

/** A few endpoints, one per row, in the given order. */
export function EndpointsTable({ endpoints, now }: { endpoints: CertificateEndpoint[]; now: number }) {
  const columns = fixedEndpointColumns;
  return (
    <Table label="Endpoints" head={<EndpointHeads selectable={false} columns={columns} hasChannels={false} />}>
      {endpoints.map((endpoint) => (
        <EndpointRow key={endpoint.id} endpoint={endpoint} selectable={false} columns={columns} now={now} />
      ))}
    </Table>
  );
}
