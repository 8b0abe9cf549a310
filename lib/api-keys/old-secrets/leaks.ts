import { isNewTo } from "@/lib/api-keys/old-secrets/get";
import { daysBack, readRotatedOrigins } from "@/lib/audit-logs/count/key-counts";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { isStranger } from "@/lib/audit-logs/standing";
import { db } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

const LEAK_DAYS = 7;
/** Maximum number of keys to examine: those whose old secrets were tried last. */
const MAX_KEYS = 200;
/** Maximum number of addresses to examine, with each old secret that they tried. */
const MAX_TRIED = 10_000;

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

/** Examines the old secrets that were tried: routine attempts of a key's own addresses are no leak. Throws 503. */
export async function readLeaks({ organizationId }: Principal): Promise<Leaks> {
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
  const tried = await readRotatedOrigins(scope, ids, daysBack(scope, LEAK_DAYS), MAX_TRIED);
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
  return { found, isComplete: keys.length <= MAX_KEYS && tried.length < MAX_TRIED };
}
