import { endpointName } from "@/components/certificates/inventory/names";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { getCertificateHistory } from "@/lib/certificates/inventory/get-certificate-history";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 20;

/** The endpoints that served a certificate, newest first. */
export async function CertificateHistory({ principal, id }: { principal: Principal; id: string }) {
  const { items, nextCursor } = await getCertificateHistory(principal, { id, limit: MAX_ROWS, cursor: undefined });
  if (items.length === 0) return null;
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Endpoint history</h2>
      <Table
        label="Endpoint history"
        head={
          <>
            <Head>Endpoint</Head>
            <Head className="w-48 max-lg:hidden">Address</Head>
            <Head className="w-44 max-sm:w-36">First seen</Head>
            <Head className="w-44 max-sm:hidden">Last seen</Head>
          </>
        }
      >
        {items.map(({ endpoint, address, first_seen_at, last_seen_at, is_current }) => (
          <Row key={`${endpoint.id} ${address} ${first_seen_at}`}>
            <Data className="font-mono text-sm">
              <RowLink href={`/certificates/endpoints/${endpoint.id}`}>{endpointName(endpoint)}</RowLink>
              {endpoint.sni && <span className="ml-2 text-second">{endpoint.sni}</span>}
            </Data>
            <Data className="font-mono text-sm max-lg:hidden">{address ?? "reported"}</Data>
            <Data className="text-second">
              <Time value={first_seen_at} />
            </Data>
            <Data className="text-second max-sm:hidden">{is_current ? "current" : <Time value={last_seen_at} />}</Data>
          </Row>
        ))}
      </Table>
      {nextCursor !== null && (
        <p className="px-4 pt-2 text-second sm:px-5">
          Only the newest {MAX_ROWS} are shown. The API lists all of them.
        </p>
      )}
    </section>
  );
}
