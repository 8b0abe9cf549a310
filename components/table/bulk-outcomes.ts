import { failureOf, isRequestFailed, isSessionOver } from "@/components/states/failure";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";
import { plural } from "@/lib/text/counts";

/** Maximum number of ids per bulk request. */
const CHUNK = 100;
/** Requests at the same time, where each resource needs its own. */
const MAX_CONCURRENT_REQUESTS = 4;

/**
 * Sends the ids in parts that a bulk request takes, one after the other. A refused part fails alone; if all are refused, or without a
 * session, it throws the error. `results` then has those of the parts before.
 */
export async function inChunks(
  ids: readonly string[],
  send: (ids: string[]) => Promise<BulkOutcome[]>,
  results: BulkOutcome[] = [],
): Promise<BulkOutcome[]> {
  const refusals: unknown[] = [];
  for (let at = 0; at < ids.length; at += CHUNK) {
    const part = ids.slice(at, at + CHUNK);
    try {
      results.push(...(await send(part)));
    } catch (error) {
      const reason = reasonOf(error);
      refusals.push(error);
      results.push(...part.map((id) => ({ id, status: "failed" as const, error: reason })));
    }
  }
  if (refusals.length > 0 && refusals.length === Math.ceil(ids.length / CHUNK)) throw refusals[0];
  return results;
}

/** Throws the error of a session that has ended. */
function reasonOf(error: unknown): string | null {
  if (isSessionOver(error)) throw error;
  return failureOf(error).message;
}

/** Sends one request per id, several at the same time. A refused one fails alone; without a session all fail. */
export async function oneByOne(ids: readonly string[], send: (id: string) => Promise<unknown>): Promise<BulkOutcome[]> {
  const results = new Map<string, BulkOutcome>();
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) results.set(id, await outcomeOf(id, send));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, work));
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function outcomeOf(id: string, send: (id: string) => Promise<unknown>): Promise<BulkOutcome> {
  try {
    await send(id);
    return { id, status: "updated", error: null };
  } catch (error) {
    if (isRequestFailed(error) && error.code === "NOT_FOUND") return { id, status: "unchanged", error: null };
    return { id, status: "failed", error: reasonOf(error) };
  }
}

/** What to say about the resources that an action changed, and about those that it left as they were; nothing if omitted. */
interface Words {
  done: string;
  rest?: string;
}

/** The first ids as updated and the others as unchanged, for a request that answers only with the number of those that it changed. */
export function outcomesOf(ids: readonly string[], changed: number): BulkOutcome[] {
  return ids.map((id, at) => ({ id, status: at < changed ? "updated" : "unchanged", error: null }));
}

/** The results in sentences: `3 monitors paused. 1 monitor failed: Not found.` */
export function outcomeWords(results: readonly BulkOutcome[], noun: string, { done, rest }: Words): string {
  const changed = results.filter(({ status }) => status === "updated").length;
  const unchanged = results.filter(({ status }) => status === "unchanged").length;
  const left = rest !== undefined && unchanged > 0 && `${plural(unchanged, noun)} left out: ${rest}.`;
  const failed = results.filter(({ status }) => status === "failed");
  const [first] = failed;
  const parts = [
    changed > 0 ? `${plural(changed, noun)} ${done}.` : first === undefined && !left && `No ${noun} changed.`,
    left,
    first && `${plural(failed.length, noun)} failed: ${first.error}`,
  ];
  return parts.filter(Boolean).join(" ");
}
