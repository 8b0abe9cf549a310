import type { ApiKey } from "@/lib/api-keys/contract";

const DAY_MS = 86_400_000;
/** A key that expires within this is worth a word. */
const SOON_DAYS = 14;
/** A key that was not used for this long may not be needed. */
const IDLE_DAYS = 90;

export interface KeyNotice {
  id: string;
  name: string;
  kind: "expires" | "overdue" | "idle" | "unused";
  /** When it expires, when its rotation was due, when it was last used or created. */
  at: string;
}

/** What of an organization's keys wants a look, most pressing first; each active key at most once. */
export function keyNotices(keys: readonly ApiKey[], now: number): KeyNotice[] {
  const rank: KeyNotice["kind"][] = ["expires", "overdue", "idle", "unused"];
  return keys
    .filter(({ status }) => status === "active")
    .flatMap((key) => noticeOf(key, now) ?? [])
    .sort((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind) || (a.at < b.at ? -1 : 1));
}

function noticeOf(key: ApiKey, now: number): KeyNotice | null {
  const { id, name, expires_at, rotation_due_at, last_used_at, created_at } = key;
  const since = (time: string) => now - Date.parse(time);
  const notice = (kind: KeyNotice["kind"], at: string) => ({ id, name, kind, at });
  if (expires_at !== null && -since(expires_at) < SOON_DAYS * DAY_MS) return notice("expires", expires_at);
  if (since(rotation_due_at) > 0) return notice("overdue", rotation_due_at);
  if (last_used_at === null) return since(created_at) > SOON_DAYS * DAY_MS ? notice("unused", created_at) : null;
  return since(last_used_at) > IDLE_DAYS * DAY_MS ? notice("idle", last_used_at) : null;
}
