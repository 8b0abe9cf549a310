import { isNewTo } from "@/lib/api-keys/old-secrets/get";
import { rotatedOrigins } from "@/lib/api-keys/usage-figures";
import { daysBack, readKeyCounts } from "@/lib/audit-logs/count/key-counts";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { isStranger } from "@/lib/audit-logs/standing";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

const LEAK_DAYS = 7;
/** Maximum number of keys to read: those whose old secrets were tried last. */
const MAX_KEYS = 5;

/** A key whose old secret unrecognized addresses tried in the last 7 UTC days, unless that was handled. */
export interface Leak {
  apiKeyId: string;
  name: string;
  /** Addresses. */
  strangers: number;
}

/** The leaked secrets among the five keys whose old secrets were tried last. Throws 503. */
export async function readLeaks({ organizationId }: Principal): Promise<Leak[]> {
  const keys = await db().apiKey.findMany({
    where: { organizationId, rotatedSecretUsedAt: { gte: new Date(Date.now() - LEAK_DAYS * DAY_MS) } },
    orderBy: { rotatedSecretUsedAt: "desc" },
    take: MAX_KEYS,
    select: { id: true, name: true, oldSecretsHandling: { select: { strangers: true } } },
  });
  if (keys.length === 0) return [];
  const scope = await scopeOf(organizationId);
  const since = daysBack(scope, LEAK_DAYS);
  const tried = await Promise.all(
    keys.map(async ({ id }) =>
      rotatedOrigins(await readKeyCounts(scope, id, since, ["key_origin"])).map(({ address, hint }) => ({
        ...{ apiKeyId: id, address, hint },
      })),
    ),
  );
  const standings = await addressStandings(organizationId, tried.flat());
  return keys.flatMap(({ id, name, oldSecretsHandling }, at) => {
    const isNew = isNewTo(oldSecretsHandling);
    const addresses = new Map<string | null, boolean>();
    for (const attempt of tried[at] ?? []) {
      const isOwn = addresses.get(attempt.address) === false;
      addresses.set(attempt.address, !isOwn && isStranger(standings(attempt).standing) && isNew(attempt.address));
    }
    const strangers = [...addresses.values()].filter(Boolean).length;
    return strangers > 0 ? [{ apiKeyId: id, name, strangers }] : [];
  });
}
