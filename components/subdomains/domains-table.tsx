import { sourceTone } from "@/components/subdomains/words";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Status } from "@/components/ui/badge";
import type { Domain } from "@/lib/subdomains/domain-contract";
import { sourceLabels } from "@/lib/subdomains/labels";
import { formatCount } from "@/lib/text/counts";

/** Domains, one per row, in the given order. */
export function DomainsTable({ domains }: { domains: readonly Domain[] }) {
  return (
    <Table
      label="Domains"
      head={
        <>
          <Head>Domain</Head>
          <Head className="w-28">Ownership</Head>
          <Head className="w-64 max-md:hidden">Sources</Head>
          <Head numeric className="w-20 max-sm:hidden">
            New
          </Head>
          <Head numeric className="w-24 max-sm:hidden">
            Monitored
          </Head>
          <Head numeric className="w-24 max-lg:hidden">
            Ignored
          </Head>
          <Head numeric className="w-28 max-lg:hidden">
            Unexpected
          </Head>
        </>
      }
    >
      {domains.map(({ id, name, proof, sources, names, unexpected_issuances }) => (
        <Row key={id}>
          <Data>
            <RowLink href={`/subdomains/domains/${id}`} className="font-medium font-mono text-sm">
              {name}
            </RowLink>
          </Data>
          <Data>
            {proof.proven_at === null ? <Status tone="warn">Unverified</Status> : <Status tone="good">Verified</Status>}
          </Data>
          <Data className="max-md:hidden">
            <span className="inline-flex gap-3">
              {sources.map((source) => (
                <Status key={source.name} tone={proof.proven_at === null ? "neutral" : sourceTone[source.state]}>
                  {sourceLabels[source.name]}
                </Status>
              ))}
            </span>
          </Data>
          <Data numeric className="max-sm:hidden">
            {formatCount(names.new)}
          </Data>
          <Data numeric className="max-sm:hidden">
            {formatCount(names.monitored)}
          </Data>
          <Data numeric className="max-lg:hidden">
            {formatCount(names.ignored)}
          </Data>
          <Data numeric className={unexpected_issuances > 0 ? "text-warn max-lg:hidden" : "max-lg:hidden"}>
            {formatCount(unexpected_issuances)}
          </Data>
        </Row>
      ))}
    </Table>
  );
}
