import { gunzipSync } from "node:zlib";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import type { Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import type { Sink, SinkArrival } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { OmittedRange, SentEvent } from "@/lib/destinations/batches/batch";
import type { Destination, DestinationWithSecret } from "@/lib/destinations/contract";
import { newId } from "@/lib/ids";

export const PATH = "/audit-logs/destinations";

/** Creates a destination of the kind HTTPS at a sink. */
export async function streamTo(
  { admin }: Organization,
  { url }: { url: string },
  more: Record<string, unknown> = {},
): Promise<DestinationWithSecret> {
  const answer = await admin.post<DestinationWithSecret>(PATH, {
    ...{ type: "https", name: newId(), settings: { url } },
    ...more,
  });
  if (answer.status !== 201) throw new Error(`the destination was not created: ${answer.status} ${answer.text}`);
  return answer.data;
}

/** Stores events and signs them. Returns their ids. */
export async function grow({ id, server }: Organization, count: number, path = "/streamed"): Promise<string[]> {
  const rows = Array.from(
    { length: count },
    () => new AuditEventDraft({ organization_id: id, method: "GET", path, status_code: 200 }).row,
  );
  await store(rows);
  await signNow(server);
  const ids = rows.map((row) => row.id);
  await whenSigned(id, ids);
  return ids;
}

/** A line of a batch. */
export type Line = SentEvent | { omitted: OmittedRange & { epoch: number } };

/** The lines of a batch that was sent as gzipped NDJSON. */
export function linesOf(body: Buffer): Line[] {
  const lines = gunzipSync(body).toString().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

export const eventsIn = (lines: readonly Line[]) => lines.flatMap((line) => ("omitted" in line ? [] : [line]));
export const omittedIn = (lines: readonly Line[]) => lines.flatMap((line) => ("omitted" in line ? [line.omitted] : []));

/** The lines that a sink took. */
export const takenBy = ({ taken }: Sink) => taken.flatMap(({ body }) => linesOf(body));

/** The last index that a sink took, by the names of batches; 0 before the first. */
export const sentUpTo = ({ taken }: Sink) =>
  Math.max(0, ...taken.map(({ headers }) => Number(/(\d+)$/.exec(String(headers["idempotency-key"]))?.[1])));

/** Resolves when a sink has taken an index. */
export function whenTaken(sink: Sink, index: number): Promise<true> {
  return until(`the sink has the index ${index}`, async () =>
    eventsIn(takenBy(sink)).some(({ seal }) => seal.index === index),
  );
}

/** A destination as the database has it. */
export async function stored({ id, server }: Organization, destinationId: string) {
  const [row] = await query<{ next: number; failures: number; paused: boolean; last_error: string | null }>(
    server,
    "app",
    `SELECT next_index::integer AS next, failures, paused_at IS NOT NULL AS paused, last_error FROM destinations
     WHERE organization_id = $1 AND id = $2`,
    [id, destinationId],
  );
  if (row === undefined) throw new Error("the destination is gone");
  return row;
}

/** The indexes of each batch that a sink took: `first-last`. */
export const batchesOf = (arrivals: readonly SinkArrival[]) =>
  arrivals.map(({ headers }) => String(headers["idempotency-key"]).replace(/.*:/, ""));

export const get = async ({ admin }: Organization, { id }: { id: string }) =>
  (await admin.get<Destination>(`${PATH}/${id}`)).data;
