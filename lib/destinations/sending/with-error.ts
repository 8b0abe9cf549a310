import type { DestinationActivity } from "@/lib/destinations/contract";

type Errors = DestinationActivity["errors"];
export type NewError = Pick<Errors[number], "message" | "status" | "answer">;

const MAX_ERRORS = 10;

/** The last failures with a new one, newest first: one that repeats the newest is counted there. */
export function withError(errors: Errors, error: NewError, now: Date): Errors {
  const [newest, ...others] = errors;
  const at = now.toISOString();
  if (newest !== undefined && newest.message === error.message && newest.status === error.status) {
    return [{ ...newest, answer: error.answer, attempts: newest.attempts + 1, last_at: at }, ...others];
  }
  return [{ ...error, attempts: 1, first_at: at, last_at: at }, ...errors].slice(0, MAX_ERRORS);
}
