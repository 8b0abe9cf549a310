import { countWords, sizeWords } from "@/components/operator/figure-words";
import { Part } from "@/components/operator/part";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Status } from "@/components/ui/badge";
import type { DatabaseFigures } from "@/lib/operator/read-databases";

/** Versions, sizes and connections of both databases. */
export function Databases({
  monitoring,
  audit,
}: {
  monitoring: readonly DatabaseFigures[] | null;
  audit: readonly DatabaseFigures[] | null;
}) {
  const away = [...(monitoring === null ? ["monitoring"] : []), ...(audit === null ? ["audit"] : [])];
  return (
    <Part title="Databases">
      <Table
        label="Databases"
        head={
          <>
            <Head className="w-36 max-sm:w-24">Database</Head>
            <Head>PostgreSQL</Head>
            <Head className="w-32 max-sm:w-24" numeric>
              Size
            </Head>
            <Head className="w-40 max-sm:hidden" numeric>
              Connections
            </Head>
          </>
        }
      >
        {[...(monitoring ?? []), ...(audit ?? [])].map(({ name, version, bytes, connections, maxConnections }) => (
          <Row key={name}>
            <Data className="font-medium">{name}</Data>
            <Data>{version}</Data>
            <Data numeric>{sizeWords(bytes)}</Data>
            <Data numeric className="max-sm:hidden">
              {countWords(connections)} of {countWords(maxConnections)}
            </Data>
          </Row>
        ))}
        {away.map((name) => (
          <Row key={name}>
            <Data className="font-medium">{name}</Data>
            <Data>
              <Status tone="bad">could not be read</Status>
            </Data>
            <Data numeric>—</Data>
            <Data numeric className="max-sm:hidden">
              —
            </Data>
          </Row>
        ))}
      </Table>
    </Part>
  );
}
