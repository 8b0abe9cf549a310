import { MAX_ATTEMPTS } from "@/lib/api-keys/old-secrets/contract";
import type { OldSecretAttempt } from "@/lib/api-keys/old-secrets/figures";
import { only } from "@/lib/audit-logs/caller";
import type { Flag } from "@/lib/audit-logs/flags";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import { readPage } from "@/lib/audit-logs/read/pages";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { idTime } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const MAX_DAYS = 90;
/** Milliseconds after which no more of the range is read. */
const READ_TIMEOUT_MS = 3_000;
const COLUMNS = `id, flags, method, path, api_key_hint, host(ip_address) AS ip_address, country, user_agent`;
/** How requests with an old secret are refused. Older events have only the flag of the check that refused them first. */
const FLAGS: readonly Flag[] = ["rotated_secret", "revoked_key", "ip_not_allowed", "expired_key", "rate_limited"];

/** A key, as far as its old secrets need it. */
interface KeyWithSecrets {
  id: string;
  revokedAt: Date | null;
  secrets: { hint: string; retiredAt: Date | null }[];
}

/** Attempts with old secrets, newest first; all since `since` (Unix milliseconds), which is later if there were too many. */
export interface Attempts {
  since: number;
  until: number;
  hasEarlier: boolean;
  attempts: OldSecretAttempt[];
}

/** The start of the attempts that can be counted: the first replacement of a secret, if it is retained. Null if there was none. */
function startOf({ secrets, revokedAt }: KeyWithSecrets, scope: Scope, now: number): number | null {
  const replaced = [...secrets.map(({ retiredAt }) => retiredAt), revokedAt].flatMap((at) => at?.getTime() ?? []);
  if (replaced.length === 0) return null;
  return Math.max(Math.min(...replaced), scope.oldest, now - MAX_DAYS * DAY_MS);
}

/** Reads the attempts with a key's old secrets, at most the newest 50,000 of the last 90 days. */
export async function readAttempts(organizationId: string, key: KeyWithSecrets, now: number): Promise<Attempts> {
  const scope = await scopeOf(organizationId);
  const from = startOf(key, scope, now);
  if (from === null) return { since: now, until: now, hasEarlier: false, attempts: [] };
  const filters = { since: from, until: now + 1, api_key_id: only(key.id), flag: { include: [...FLAGS], exclude: [] } };
  const { rows, resume } = await readPage(scope, filters, "desc", MAX_ATTEMPTS + 1, null, {
    columns: COLUMNS,
    timeoutMs: READ_TIMEOUT_MS,
    purpose: "report",
  });
  // A millisecond is counted completely or not at all.
  const uncounted = rows[MAX_ATTEMPTS];
  const since = uncounted ? idTime(uncounted.id) + 1 : resume === null ? from : idTime(resume);
  const old = new Set(key.secrets.flatMap(({ hint, retiredAt }) => (retiredAt === null ? [] : [hint])));
  const revokedAt = key.revokedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const tried = rows.flatMap((row) => {
    const [at, hint] = [idTime(row.id), row.api_key_hint ?? ""];
    const isOld = at >= since && (old.has(hint) || at >= revokedAt || row.flags.includes("revoked_key"));
    return isOld ? [{ row, at, hint, address: row.ip_address, apiKeyId: key.id }] : [];
  });
  const standings = await addressStandings(organizationId, tried);
  return {
    since,
    until: now,
    hasEarlier: since > from,
    attempts: tried.map(({ row, ...attempt }) => ({
      at: attempt.at,
      address: attempt.address,
      country: row.country,
      userAgent: row.user_agent,
      method: row.method ?? "",
      path: row.path ?? "",
      hint: attempt.hint,
      ...standings(attempt),
    })),
  };
}
