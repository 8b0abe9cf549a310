import { v7 } from "uuid";
import { processSingleton } from "@/lib/process-singleton";

/** Organization of the events that cannot be attributed to an organization; they belong to the operator. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Before the id of any row. */
export const BEFORE_ANY_ID = "00000000-0000-0000-0000-000000000000";

/** After the id of any row. */
export const AFTER_ANY_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A clock that is set back further than this is followed; ids of a smaller correction still sort by creation. In milliseconds. */
const MAX_SET_BACK_MS = 1_000;
const MAX_SEQUENCE = 0xffff_ffff;

const latest = processSingleton("ids.latest", () => ({ msecs: 0, seq: 0 }));

/** A new UUIDv7 (RFC 9562). Ids sort by time, including those created by this process in the same millisecond. */
export function newId(): string {
  const now = Date.now();
  if (now > latest.msecs || now < latest.msecs - MAX_SET_BACK_MS) {
    latest.msecs = now;
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    // Half of the range is left to count in.
    latest.seq = random >>> 1;
  } else if (latest.seq === MAX_SEQUENCE) {
    latest.msecs++;
    latest.seq = 0;
  } else latest.seq++;
  return v7(latest);
}

/** A new UUIDv7 with the given time (Unix milliseconds). */
export function newIdAt(time: number): string {
  return v7({ msecs: time });
}

/** The time in a UUIDv7, in Unix milliseconds. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The smallest possible id of an event at `time` (Unix milliseconds): a bound for "since" and "until". */
export function idAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
