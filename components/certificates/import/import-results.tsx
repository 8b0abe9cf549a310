import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Status, type Tone } from "@/components/ui/badge";
import type { EndpointImportResult } from "@/lib/certificates/endpoints/bulk-contract";
import { formatCount, plural } from "@/lib/text/counts";

type ImportStatus = EndpointImportResult["status"];

/** Further lines are only counted. */
const MAX_SHOWN = 300;
const statuses: readonly ImportStatus[] = ["failed", "created", "updated", "unchanged"];
const words: Record<ImportStatus, { preview: string; result: string; tone: Tone }> = {
  failed: { preview: "invalid", result: "skipped", tone: "bad" },
  created: { preview: "would be added", result: "added", tone: "seal" },
  updated: { preview: "would be changed", result: "changed", tone: "seal" },
  unchanged: { preview: "unchanged", result: "unchanged", tone: "neutral" },
};

/** The result of each line, or its preview: invalid lines first, with the reason. */
export function ImportResults({
  results,
  isPreview,
}: {
  results: readonly EndpointImportResult[];
  isPreview: boolean;
}) {
  const wordsOf = (status: ImportStatus) => words[status][isPreview ? "preview" : "result"];
  const counted = statuses
    .map((status) => ({ status, count: results.filter((result) => result.status === status).length }))
    .filter(({ count }) => count > 0);
  const shown = [...results]
    .sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || a.line - b.line)
    .slice(0, MAX_SHOWN);
  return (
    <section className="pt-6">
      <h2 className="px-4 font-medium text-lg sm:px-5">{isPreview ? "Preview" : "Result"}</h2>
      <p role="status" className="px-4 pb-2 text-second sm:px-5">
        {counted.map(({ status, count }) => `${formatCount(count)} ${wordsOf(status)}`).join(" · ")}
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
