import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { plural } from "@/components/time/time-format";
import { Status, type Tone } from "@/components/ui/badge";
import type { EndpointImportResult } from "@/lib/certificates/endpoints/bulk-contract";

type Fate = EndpointImportResult["status"];

/** Further lines are only counted. */
const MAX_SHOWN = 300;
const fates: readonly Fate[] = ["failed", "created", "updated", "unchanged"];
const words: Record<Fate, { tried: string; done: string; tone: Tone }> = {
  failed: { tried: "invalid", done: "skipped", tone: "bad" },
  created: { tried: "would be added", done: "added", tone: "seal" },
  updated: { tried: "would be changed", done: "changed", tone: "seal" },
  unchanged: { tried: "unchanged", done: "unchanged", tone: "neutral" },
};

/** The result of each line, or its preview: invalid lines first, with the reason. */
export function ImportResults({ results, isTrial }: { results: readonly EndpointImportResult[]; isTrial: boolean }) {
  const wordsOf = (fate: Fate) => words[fate][isTrial ? "tried" : "done"];
  const counted = fates
    .map((fate) => ({ fate, count: results.filter(({ status }) => status === fate).length }))
    .filter(({ count }) => count > 0);
  const shown = [...results]
    .sort((a, b) => fates.indexOf(a.status) - fates.indexOf(b.status) || a.line - b.line)
    .slice(0, MAX_SHOWN);
  return (
    <section className="pt-6">
      <h2 className="px-4 font-medium text-lg sm:px-5">{isTrial ? "Preview" : "Result"}</h2>
      <p role="status" className="px-4 pb-2 text-second sm:px-5">
        {counted.map(({ fate, count }) => `${count.toLocaleString("en-GB")} ${wordsOf(fate)}`).join(" · ")}
      </p>
      <Table
        label="Import lines"
        head={
          <>
            <Head numeric className="w-16">
              Line
            </Head>
            <Head className="w-72 max-sm:w-40">Endpoint</Head>
            <Head className="w-52 max-sm:w-auto">Result</Head>
            <Head className="max-sm:hidden">Reason</Head>
          </>
        }
      >
        {shown.map(({ line, target, status, id, error }) => (
          <Row key={line}>
            <Data numeric className="text-second">
              {line}
            </Data>
            <Data className="font-mono text-sm">
              {id === null ? target : <RowLink href={`/certificates/endpoints/${id}`}>{target}</RowLink>}
            </Data>
            <Data>
              <Status tone={words[status].tone}>{wordsOf(status)}</Status>
              {error && <span className="text-second sm:hidden">: {error}</span>}
            </Data>
            <Data className="text-second max-sm:hidden">{error && <span title={error}>{error}</span>}</Data>
          </Row>
        ))}
      </Table>
      {results.length > shown.length && (
        <p className="px-4 pt-2 text-second sm:px-5">
          and {plural(results.length - shown.length, "more line", "more lines")}
        </p>
      )}
    </section>
  );
}
