import { sourceTone } from "@/components/subdomains/words";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { DomainSource } from "@/lib/subdomains/domain-contract";
import { sourceLabels, sourceStateLabels } from "@/lib/subdomains/labels";
import { formatCount } from "@/lib/text/counts";

/** The state of each source of a domain, which distinguishes an empty result from a failure. */
export function SourcesTable({ sources }: { sources: readonly DomainSource[] }) {
  return (
    <Table
      label="Sources"
      head={
        <>
          <Head className="w-56 max-sm:w-40">Source</Head>
          <Head>State</Head>
          <Head numeric className="w-20 max-sm:pr-4">
            Names
          </Head>
          <Head className="w-36 max-md:hidden">Last success</Head>
          <Head className="w-36 max-sm:hidden">Next run</Head>
          <Head className="w-36 max-xl:hidden">Read up to</Head>
        </>
      }
    >
      {sources.map((source) => (
        <SourceRow key={source.name} source={source} />
      ))}
    </Table>
  );
}

function SourceRow({ source }: { source: DomainSource }) {
  const { name, state, error, names, cursor, last_success_at, next_run_at } = source;
  return (
    <Row>
      <Data>{sourceLabels[name]}</Data>
      <Data className="whitespace-normal! py-1">
        <Status tone={sourceTone[state]}>{sourceStateLabels[state]}</Status>
        {error !== null && <span className="ml-2.5 text-second">{error}</span>}
      </Data>
      <Data numeric className="max-sm:pr-4">
        {formatCount(names)}
      </Data>
      <Data className="text-second max-md:hidden">{last_success_at ? <Ago value={last_success_at} /> : "never"}</Data>
      <Data className="text-second max-sm:hidden">
        {next_run_at === null ? (
          "once verified"
        ) : Date.parse(next_run_at) > Date.now() ? (
          <Ago value={next_run_at} />
        ) : (
          "now"
        )}
      </Data>
      <Data className={cx("text-second max-xl:hidden", cursor !== null && "font-mono text-sm")}>{cursor ?? "—"}</Data>
    </Row>
  );
}
