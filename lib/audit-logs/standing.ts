/** Whether an address that tries an old secret is one of the key's own clients, most suspicious first. */
import { DAY_MS } from "@/lib/time/units";

export const standings = ["unknown", "recent", "known"] as const;

export type Standing = (typeof standings)[number];

/** An address that first used a key this shortly before its secret was replaced may be the reason for it. */
const RECENT_DAYS = 7;
/** After its creation, a key's first addresses are expected. */
const SETUP_MS = DAY_MS;

/**
 * The standing of an address: `replacedAt` is when the tried secret was replaced or revoked. First uses after that had the new
 * secret. All times in Unix milliseconds.
 */
export function standingOf(firstSuccess: number | null, keyCreatedAt: number, replacedAt: number): Standing {
  if (firstSuccess === null) return "unknown";
  const isSetup = firstSuccess < keyCreatedAt + SETUP_MS;
  const isRecent = firstSuccess <= replacedAt && firstSuccess > replacedAt - RECENT_DAYS * DAY_MS;
  return isRecent && !isSetup ? "recent" : "known";
}

/** Whether the address is probably not one of the key's own clients. */
export const isStranger = (standing: Standing) => standing !== "known";
