import { issuerWords } from "@/components/subdomains/words";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import type { Issuance } from "@/lib/subdomains/contract";
import { sourceLabels } from "@/lib/subdomains/labels";

/** Issued certificates, one per row, in the given order. */
export function IssuancesTable({ issuances, now }: { issuances: readonly Issuance[]; now: number }) {
  return (
    <Table
      label="Issued certificates"
      head={
        <>
          <Head>Names</Head>
          <Head className="w-72 max-sm:w-36">Issuer</Head>
          <Head className="w-28 max-md:hidden">Issued</Head>
          <Head className="w-28 max-md:hidden">Expires</Head>
          <Head className="w-32 max-xl:hidden">Source</Head>
        </>
      }
    >
      {issuances.map(({ id, names, issuer, finding, revoked, not_before, not_after, sources }) => {
        const isOver = Date.parse(not_after) <= now;
        const [first = "", ...others] = names;
        return (
          <Row key={id} className={isOver ? "text-third" : undefined}>
            <Data>
              <span className="font-mono text-sm" title={names.join("\n")}>
                {first}
              </span>
              {others.length > 0 && <span className="ml-2 text-second">and {others.length} more</span>}
            </Data>
            <Data>
              <span title={issuer} className={finding !== null && !isOver ? "text-warn" : undefined}>
                {issuerWords(issuer)}
              </span>
              {finding !== null && (
                <span className="ml-2 max-sm:sr-only">
                  <Badge tone={isOver ? "neutral" : "warn"}>unexpected</Badge>
                </span>
              )}
              {revoked && (
                <span className="ml-2">
                  <Badge>revoked</Badge>
                </span>
              )}
            </Data>
            <Data className="max-md:hidden">
              <Time value={not_before} style="day" />
            </Data>
            <Data className="max-md:hidden">
              <Time value={not_after} style="day" />
            </Data>
            <Data className="text-second max-xl:hidden">{sources.map((each) => sourceLabels[each]).join(", ")}</Data>
          </Row>
        );
      })}
    </Table>
  );
}
