import { setTimeout as delay } from "node:timers/promises";

/** `warning`: it works, with a risk. `failed`: it does not start, or something does not work. `skipped`: there is nothing to check. */
export type Status = "ok" | "warning" | "failed" | "skipped";

/** What one check found. */
export interface Finding {
  check: string;
  status: Status;
  message: string;
  /** What the operator should do; null if there is nothing to do. */
  todo: string | null;
}

/** Longer than the connection and statement timeouts of a check, in milliseconds. */
const LIMIT_MS = 15_000;

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message, todo: null });
export const skipped = (check: string, message: string): Finding => ({ check, status: "skipped", message, todo: null });
export const warning = (check: string, message: string, todo: string): Finding => ({
  check,
  status: "warning",
  message,
  todo,
});
export const failed = (check: string, message: string, todo: string): Finding => ({
  check,
  status: "failed",
  message,
  todo,
});

/** What an error says, without its stack: some errors of Node.js have a code and no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${reasonOf(error.cause)})` : "";
  return `${error.message || ("code" in error ? String(error.code) : error.name)}${cause}`;
}

/** Runs a check. An exception or a check that takes too long is a finding too, so that no check prevents another. */
export async function runCheck(
  check: string,
  work: () => Finding[] | Promise<Finding[]>,
  todo: string | ((error: unknown) => string),
  limitMs = LIMIT_MS,
): Promise<Finding[]> {
  const todoFor = (error: unknown) => (typeof todo === "string" ? todo : todo(error));
  const over = new AbortController();
  const late = delay(limitMs, undefined, { signal: over.signal }).then(() => [
    failed(check, `did not answer within ${limitMs / 1000} s`, todoFor(null)),
  ]);
  try {
    return await Promise.race([Promise.resolve().then(work), late]);
  } catch (error) {
    return [failed(check, reasonOf(error), todoFor(error))];
  } finally {
    over.abort();
    late.catch(() => {});
  }
}
