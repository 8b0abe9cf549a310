import { v7 } from "uuid";

/** The organization of events that no organization can be given to; they are the operator's. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/** A new UUIDv7 (RFC 9562): sorts by time, also among those made in one millisecond by this process. */
export function newId(): string {
  return v7();
}

/** A new UUIDv7 that carries another time (Unix milliseconds). */
export function newIdAt(time: number): string {
  return v7({ msecs: time });
}

/** The time a UUIDv7 carries, in Unix milliseconds. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The smallest id that an event of `time` (Unix milliseconds) can have: a bound for "since" and "until". */
export function idAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
