import { type getApiKeyUsage as contract, MAX_LISTED } from "@/lib/api-keys/usage-contract";
import * as figures from "@/lib/api-keys/usage-figures";
import { daysBack, readKeyCounts } from "@/lib/audit-logs/count/key-counts";
import { type Found, firstAndLast, type Sought } from "@/lib/audit-logs/read/first-and-last";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { token } from "@/lib/audit-logs/tokens";
import { originOf, readFirstSeenOrigins } from "@/lib/audit-logs/write/first-seen-origins";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/**
 * A key's usage report. Counts come from the key's daily rollups; exact first and last times come from the events of those
 * days. Throws 404.
 */
export async function getApiKeyUsage(
  { organizationId }: Principal,
  { id, days }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const secrets = { select: { hint: true, retiredAt: true } };
  const where = { organizationId_id: { organizationId, id } };
  const key = await db().apiKey.findUnique({ where, select: { secrets } });
  if (key === null) throw notFound();
  const scope = await scopeOf(organizationId);
  const since = daysBack(scope, days);
  const until = Date.now();
  const counts = await readKeyCounts(scope, id, since);

  const addresses = figures.addressesOf(counts);
  const countries = figures.countriesOf(counts);
  const old = token("flag", "rotated_secret");
  const [listed, inCountries, rotated, sources, known] = await Promise.all([
    withTimes(scope, addresses, (sum) => seekAt(id, sum)),
    withTimes(scope, countries, ({ country }) => ({ tokens: [token("apiKey", id), token("country", country)] })),
    withTimes(scope, figures.rotatedSecrets(counts), ({ hint }) => ({ tokens: [token("apiKey", id), old], hint })),
    withTimes(scope, figures.rotatedOrigins(counts), (sum) => ({ ...seekAt(id, sum, old), hint: sum.hint })),
    readFirstSeenOrigins(organizationId, id),
  ]);

  return {
    api_key_id: id,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    requests: figures.totalOf(counts),
    series: figures.seriesOf(counts, since, until),
    routes: figures.routesOf(counts),
    address_count: addresses.length,
    addresses: listed.map(({ sum: { address, country }, seen }) => ({
      ...{ ip_address: address, country, ...seen },
      known_since: (address !== null && known.get(originOf(address))) || null,
    })),
    country_count: countries.length,
    countries: inCountries.map(({ sum: { country }, seen }) => ({
      ...{ country, ...seen },
      known_since: known.get(country) ?? null,
    })),
    refusals: figures.refusalsOf(counts),
    rate_limits: figures.rateLimitsOf(counts),
    rotated_secrets: rotated
      .map(({ sum: { hint }, seen }) => ({
        hint,
        retired_at: key.secrets.find((secret) => secret.hint === hint)?.retiredAt?.toISOString() ?? null,
        ...seen,
        sources: sources.flatMap(({ sum: { hint: used, address, country }, seen: seenThere, userAgent }) =>
          used === hint ? [{ ip_address: address, country, ...seenThere, user_agent: userAgent }] : [],
        ),
      }))
      .sort((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1)),
  };
}

type Wanted = Omit<Sought, "firstDay" | "lastDay">;

function seekAt(id: string, { address }: figures.Origin, ...tokens: string[]): Wanted {
  const all = [token("apiKey", id), ...tokens];
  return address === null ? { tokens: all, nowhere: true } : { tokens: [...all, token("ip", address)] };
}

/** The listed entries with exact times, or with days if their events have just expired. */
async function withTimes<S extends figures.Sum>(scope: Scope, sums: readonly S[], seek: (sum: S) => Wanted) {
  const listed = sums.slice(0, MAX_LISTED);
  const found = await firstAndLast(
    scope,
    listed.map((sum) => ({ ...seek(sum), firstDay: sum.firstDay, lastDay: sum.lastDay })),
  );
  return listed.map((sum, index) => {
    const times: Found | null = found[index] ?? null;
    const seen = {
      requests: sum.requests,
      first_seen_at: times?.firstAt ?? new Date(sum.firstDay).toISOString(),
      last_seen_at: times?.lastAt ?? new Date(sum.lastDay).toISOString(),
    };
    return { sum, seen, userAgent: times?.userAgent ?? null };
  });
}
