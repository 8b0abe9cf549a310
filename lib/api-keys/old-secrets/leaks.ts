import { isNewTo } from "@/lib/api-keys/old-secrets/get";
import { daysBack, type RotatedOrigin, readRotatedOrigins } from "@/lib/audit-logs/count/key-counts";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { isStranger } from "@/lib/audit-logs/standing";
import { db } from "@/lib/db/app";
import { isTimeLimit } from "@/lib/db/unavailable";
import { groupBy } from "@/lib/group-by";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

const LEAK_DAYS = 7;
/** Maximum number of keys to examine: those whose old secrets were tried last. */
const MAX_KEYS = 200;
/** Maximum number of addresses to examine, with each old secret that they tried. */
const MAX_TRIED = 10_000;
/** Milliseconds after which no more keys are examined: a page waits for them. */
const READ_TIMEOUT_MS = 2_000;

/** A key whose old secret unrecognized addresses tried in the last 7 UTC days, unless that was handled. */
export interface Leak {
  apiKeyId: string;
  name: string;
  /** Addresses. */
  strangers: number;
}

/** The keys with leaked secrets, those first whose old secrets were tried last. */
export interface Leaks {
  found: Leak[];
  /** Whether all old secrets that were tried were examined. */
  isComplete: boolean;
}

/**
 * Examines the old secrets that were tried, for at most `timeoutMs`: routine attempts of a key's own addresses are no leak. Throws 503.
 */
export async function readLeaks({ organizationId }: Principal, timeoutMs = READ_TIMEOUT_MS): Promise<Leaks> {
  const keys = await db().apiKey.findMany({
    where: { organizationId, rotatedSecretUsedAt: { gte: new Date(Date.now() - LEAK_DAYS * DAY_MS) } },
    orderBy: { rotatedSecretUsedAt: "desc" },
    take: MAX_KEYS + 1,
    select: { id: true, name: true, oldSecretsHandling: { select: { strangers: true } } },
  });
  if (keys.length === 0) return { found: [], isComplete: true };
  const examined = keys.slice(0, MAX_KEYS);
  const scope = await scopeOf(organizationId);
  const ids = examined.map(({ id }) => id);
  const { tried, isComplete } = await readTried(scope, ids, timeoutMs);
  const standings = await addressStandings(organizationId, tried);
  const byKey = groupBy(tried, ({ apiKeyId }) => apiKeyId);
  const found = examined.flatMap(({ id, name, oldSecretsHandling }) => {
    const isNew = isNewTo(oldSecretsHandling);
    const addresses = new Map<string | null, boolean>();
    for (const attempt of byKey.get(id) ?? []) {
      const isOwn = addresses.get(attempt.address) === false;
      addresses.set(attempt.address, !isOwn && isStranger(standings(attempt).standing) && isNew(attempt.address));
    }
    const strangers = [...addresses.values()].filter(Boolean).length;
    return strangers > 0 ? [{ apiKeyId: id, name, strangers }] : [];
  });
  return { found, isComplete: isComplete && keys.length <= MAX_KEYS };
}

/**
 * The addresses that tried the old secrets of these keys, in the keys' order, and whether these are all. Each step reads twice as many keys
 * as the one before: few statements for many keys, and some are read even if each was tried from thousands of addresses on each day.
 */
async function readTried(scope: Scope, ids: readonly string[], timeoutMs: number) {
  const since = daysBack(scope, LEAK_DAYS);
  const deadline = performance.now() + timeoutMs;
  const tried: RotatedOrigin[] = [];
  let isComplete = true;
  for (let at = 0; at < ids.length; at = 2 * at + 1) {
    const step = ids.slice(at, 2 * at + 1);
    // The step's share of what is left, so that none takes the places of those after it.
    const limit = Math.ceil(((MAX_TRIED - tried.length) * step.length) / (ids.length - at));
    const statementMs = Math.floor(deadline - performance.now());
    const found = statementMs > 0 ? await tryStep(scope, step, since, limit, statementMs) : null;
    if (found === null) return { tried, isComplete: false };
    tried.push(...found);
    isComplete &&= found.length < limit;
  }
  return { tried, isComplete };
}

/** Null if it took too long. */
async function tryStep(...given: Parameters<typeof readRotatedOrigins>): Promise<RotatedOrigin[] | null> {
  try {
    return await readRotatedOrigins(...given);
  } catch (error) {
    if (isTimeLimit(error)) return null;
    throw error;
  }
}
