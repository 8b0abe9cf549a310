import { inTime } from "@/lib/time/in-time";

/** Longer than the statements take that it waits for, so that a hanging database takes away only its own figures; in milliseconds. */
const LIMIT_MS = 5_000;

/** A part of the operator's page: what was read, or null if it failed or was late, so that the other parts are shown. */
export function boundedPart<Result>(read: () => Promise<Result>): Promise<Result | null> {
  // The pools log why a database cannot be read.
  return inTime(
    read().catch(() => null),
    LIMIT_MS,
  );
}
