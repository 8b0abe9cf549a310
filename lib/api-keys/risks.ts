import type { ApiKey } from "@/lib/api-keys/contract";
import { DAY_MS } from "@/lib/time/units";

/** How long the use of an old secret counts as ongoing. */
const RECENT_USE_MS = 7 * DAY_MS;
const EXPIRES_SOON_MS = 14 * DAY_MS;
const IDLE_MS = 90 * DAY_MS;
/** How long a new key may stay unused without a risk. */
const GRACE_PERIOD_MS = DAY_MS;

/** Risks of an active key, most urgent first. */
export const risks = [
  "rotated_secret_used",
  "expires_soon",
  "rotation_overdue",
  "no_whitelist",
  "no_expiration",
  "idle",
  "never_used",
] as const;

export type Risk = (typeof risks)[number];
type Facts = Omit<ApiKey, "risks">;

/** The condition of each risk at `now`, in Unix milliseconds. */
const rules: Record<Risk, (key: Facts, now: number) => boolean> = {
  rotated_secret_used: ({ rotated_secret_used_at: at }, now) => at !== null && now - Date.parse(at) < RECENT_USE_MS,
  expires_soon: ({ expires_at: at }, now) => at !== null && Date.parse(at) - now < EXPIRES_SOON_MS,
  rotation_overdue: ({ rotation_due_at: at }, now) => Date.parse(at) <= now,
  no_whitelist: ({ permission, ip_whitelist }) => permission === "admin" && ip_whitelist.length === 0,
  no_expiration: ({ expires_at }) => expires_at === null,
  idle: ({ last_used_at: at }, now) => at !== null && now - Date.parse(at) >= IDLE_MS,
  never_used: ({ last_used_at, created_at }, now) =>
    last_used_at === null && now - Date.parse(created_at) >= GRACE_PERIOD_MS,
};

/** The risks of a key, most urgent first; empty for inactive keys. */
export function risksOf(key: Facts, now: number): Risk[] {
  return key.status === "active" ? risks.filter((risk) => rules[risk](key, now)) : [];
}
