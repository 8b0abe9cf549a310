import { shortName } from "@/components/certificates/inventory/names";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { getEndpointHistory } from "@/lib/certificates/endpoints/get-endpoint-history";
import type { Sighting } from "@/lib/certificates/history-contract";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 20;

/** The certificates that an endpoint served, newest first, with the changes of each. */
export async function EndpointHistory({ principal, id }: { principal: Principal; id: string }) {
  const { items, nextCursor } = await getEndpointHistory(principal, { id, limit: MAX_ROWS, cursor: undefined });
  if (items.length === 0) return null;
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Certificate history</h2>
      <Table
        label="Certificate history"
        head={
          <>
            <Head>Certificate</Head>
            <Head className="w-40 max-lg:hidden">Address</Head>
            <Head className="w-44 max-sm:w-36">First seen</Head>
            <Head className="w-44 max-md:hidden">Last seen</Head>
            <Head className="w-96 max-xl:w-72 max-md:hidden">Changes</Head>
          </>
        }
      >
        {items.map(({ certificate, address, first_seen_at, last_seen_at, is_current, changes }) => (
          <Row key={`${certificate.id} ${address} ${first_seen_at}`}>
            <Data>
              <RowLink href={`/certificates/${certificate.id}`}>
                {shortName(certificate.subject) || certificate.sans[0] || "Unnamed"}
              </RowLink>
            </Data>
            <Data className="font-mono text-sm max-lg:hidden">{address ?? "reported"}</Data>
            <Data className="text-second">
              <Time value={first_seen_at} />
            </Data>
            <Data className="text-second max-md:hidden">{is_current ? "current" : <Time value={last_seen_at} />}</Data>
            <Data className="text-second max-md:hidden">
              <span title={changedWords(changes)}>{changedWords(changes)}</span>
            </Data>
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

/** How a certificate differs from the previous one, in words. */
export function changedWords(changes: Sighting["changes"]): string {
  if (changes === null) return "first seen";
  const { is_issuer_changed, is_key_changed, names_added, names_removed, from_left_share } = changes;
  const parts = [
    is_issuer_changed && "another issuer",
    is_key_changed ? "a new key" : "the same key",
    names_added.length > 0 && `names added: ${names_added.join(", ")}`,
    names_removed.length > 0 && `names removed: ${names_removed.join(", ")}`,
    `the previous one had ${Math.round(from_left_share * 100)}% of its lifetime left`,
  ];
  return parts.filter((part) => part !== false).join("; ");
}
