import { type Standing, standingOf } from "@/lib/audit-logs/standing";
import { originOf } from "@/lib/audit-logs/write/first-seen-origins";
import { db } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { idTime } from "@/lib/ids";

/** An attempt with a secret (its hint) that a rotation had replaced, or of a revoked key. */
export interface Attempt {
  apiKeyId: string;
  hint: string;
  /** Null if unknown. */
  address: string | null;
}

interface KnownAddress {
  standing: Standing;
  /** First successful request with the key; null if there was none. Unix milliseconds. */
  knownSince: number | null;
}

/** Looks up attempts; an attempt whose secret is still in use counts from now. */
export type Standings = (attempt: Attempt) => KnownAddress;

/** The standings of the addresses of attempts, from two queries. */
export async function addressStandings(organizationId: string, attempts: readonly Attempt[]): Promise<Standings> {
  if (attempts.length === 0) return () => ({ standing: "unknown", knownSince: null });
  const ids = [...new Set(attempts.map(({ apiKeyId }) => apiKeyId))];
  const pairs = new Map(
    attempts.flatMap(({ apiKeyId, address }) =>
      address === null ? [] : [[`${apiKeyId} ${originOf(address)}`, { apiKeyId, origin: originOf(address) }]],
    ),
  );
  const wanted = [...pairs.values()];
  const [keys, first] = await Promise.all([
    db().apiKey.findMany({
      where: { organizationId, id: { in: ids } },
      select: { id: true, createdAt: true, revokedAt: true, secrets: { select: { hint: true, retiredAt: true } } },
    }),
    auditPool().query<{ api_key_id: string; origin: string; event_id: string }>(
      `SELECT api_key_id, origin, event_id FROM audit_sightings
       WHERE organization_id = $1 AND (api_key_id, origin) IN (SELECT * FROM unnest($2::uuid[], $3::text[]))`,
      [organizationId, wanted.map(({ apiKeyId }) => apiKeyId), wanted.map(({ origin }) => origin)],
    ),
  ]);
  const byId = new Map(keys.map((key) => [key.id, key]));
  const seen = new Map(
    first.rows.map(({ api_key_id, origin, event_id }) => [`${api_key_id} ${origin}`, idTime(event_id)]),
  );
  return ({ apiKeyId, hint, address }) => {
    const key = byId.get(apiKeyId);
    const knownSince = (address !== null && seen.get(`${apiKeyId} ${originOf(address)}`)) || null;
    const retiredAt = key?.secrets.find((secret) => secret.hint === hint)?.retiredAt;
    const replacedAt = retiredAt ?? key?.revokedAt ?? new Date();
    const createdAt = key?.createdAt.getTime() ?? 0;
    return { standing: standingOf(knownSince, createdAt, replacedAt.getTime()), knownSince };
  };
}
