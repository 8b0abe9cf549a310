import { MAX_ATTEMPTS } from "@/lib/api-keys/old-secrets/contract";
import type { OldSecretAttempt } from "@/lib/api-keys/old-secrets/figures";
import { only } from "@/lib/audit-logs/caller";
import type { Flag } from "@/lib/audit-logs/flags";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import { type Found, readPage } from "@/lib/audit-logs/read/pages";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { idTime } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const MAX_DAYS = 90;
/** Milliseconds after which no more of the range is read. */
const READ_TIMEOUT_MS = 3_000;
const COLUMNS = `id, flags, method, path, api_key_hint, host(ip_address) AS ip_address, country, user_agent`;
/** Flags that only attempts with an old secret, or with a revoked key, have. Other flags would find a busy client's refusals too. */
const FLAGS: readonly Flag[] = ["rotated_secret", "revoked_key"];
/** Flags of attempts after a revocation, whichever check refused them first. A request over the limit has one of them too. */
const FLAGS_ONCE_REVOKED: readonly Flag[] = [...FLAGS, "ip_not_allowed", "expired_key"];

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
  const { rows, resume } = await readRefused(scope, key, from, now + 1);
  // A millisecond is counted completely or not at all.
  const uncounted = rows[MAX_ATTEMPTS];
  const since = uncounted ? idTime(uncounted.id) + 1 : resume === null ? from : idTime(resume);
  const tried = rows.flatMap((row) => {
    const at = idTime(row.id);
    return at >= since ? [{ row, at, hint: row.api_key_hint ?? "", address: row.ip_address, apiKeyId: key.id }] : [];
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

/** Reads one more than the maximum number of attempts: first those after the revocation, then those before. */
async function readRefused(scope: Scope, { id, revokedAt }: KeyWithSecrets, from: number, to: number) {
  const revoked = Math.min(Math.max(revokedAt?.getTime() ?? to, from), to);
  const parts = [
    { since: revoked, until: to, flags: FLAGS_ONCE_REVOKED },
    { since: from, until: revoked, flags: FLAGS },
  ];
  const found: Found = { rows: [], resume: null };
  const deadline = performance.now() + READ_TIMEOUT_MS;
  for (const { since, until, flags } of parts) {
    const limit = MAX_ATTEMPTS + 1 - found.rows.length;
    if (since >= until || limit === 0 || found.resume !== null) continue;
    const filters = { since, until, api_key_id: only(id), flag: { include: [...flags], exclude: [] } };
    const timeoutMs = deadline - performance.now();
    const options = { columns: COLUMNS, timeoutMs, purpose: "report" } as const;
    const { rows, resume } = await readPage(scope, filters, "desc", limit, null, options);
    for (const row of rows) found.rows.push(row);
    found.resume = resume;
  }
  return found;
}
