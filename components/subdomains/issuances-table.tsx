import { AuthorizeIssuance } from "@/components/subdomains/authorize-issuance";
import { issuerWords } from "@/components/subdomains/words";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { authorityLabels } from "@/lib/subdomains/accounting/authorities";
import type { Issuance } from "@/lib/subdomains/contract";
import { sourceLabels } from "@/lib/subdomains/labels";

/** Issued certificates, one per row, in the given order. */
export function IssuancesTable({
  issuances,
  reason,
  now,
}: {
  issuances: readonly Issuance[];
  /** Why the reader may not make changes; null if they may. */
  reason: string | null;
  now: number;
}) {
  return (
    <Table
      label="Issued certificates"
      head={
        <>
          <Head>Names</Head>
          <Head className="w-72 max-lg:w-48 max-sm:w-32">Issuer</Head>
          <Head className="w-28 max-lg:hidden">Issued</Head>
          <Head className="w-28 max-lg:hidden">Expires</Head>
          <Head className="w-56 max-lg:w-52 max-sm:w-28">Authorization</Head>
          <Head className="w-32 max-xl:hidden">Source</Head>
        </>
      }
    >
      {issuances.map((issuance) => {
        const { id, names, issuer, finding, revoked, not_before, not_after, sources } = issuance;
        const isUnexpected = finding?.code === "issuer_unexpected";
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
            {/* What only screen readers find is positioned: without the cell as its reference, it would widen the page. */}
            <Data className="relative">
              {isUnexpected && (
                <span className="mr-2 max-sm:sr-only">
                  <Badge tone={isOver ? "neutral" : "warn"}>unexpected</Badge>
                </span>
              )}
              <span title={issuer} className={isUnexpected && !isOver ? "text-warn" : undefined}>
                {issuerWords(issuer)}
              </span>
              {revoked && (
                <span className="ml-2">
                  <Badge>revoked</Badge>
                </span>
              )}
            </Data>
            <Data className="max-lg:hidden">
              <Time value={not_before} style="day" />
            </Data>
            <Data className="max-lg:hidden">
              <Time value={not_after} style="day" />
            </Data>
            <Data className="relative">
              <Authorization issuance={issuance} isOver={isOver} reason={reason} />
            </Data>
            <Data className="text-second max-xl:hidden">{sources.map((each) => sourceLabels[each]).join(", ")}</Data>
          </Row>
        );
      })}
    </Table>
  );
}

/** Why the certificate is authorized; otherwise the button that authorizes it. */
function Authorization({ issuance, isOver, reason }: { issuance: Issuance; isOver: boolean; reason: string | null }) {
  const { authorized_by, authorized_name, finding } = issuance;
  if (authorized_by !== null) {
    const label = authorityLabels[authorized_by];
    return (
      <span className="text-second" title={authorized_name === null ? label : `${label}: ${authorized_name}`}>
        {label}
      </span>
    );
  }
  if (isOver) return <span className="text-third">—</span>;
  return (
    <span className="inline-flex items-center gap-2">
      {finding?.code === "issuance_unauthorized" && (
        <span className="max-sm:sr-only">
          <Badge tone="bad">unauthorized</Badge>
        </span>
      )}
      <AuthorizeIssuance issuance={issuance} reason={reason} />
    </span>
  );
}
