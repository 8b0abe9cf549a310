import { type previewWhitelist as contract, MAX_LISTED, USAGE_DAYS } from "@/lib/api-keys/usage-contract";
import { addressesOf } from "@/lib/api-keys/usage-figures";
import { daysBack, readKeyCounts } from "@/lib/audit-logs/count/key-counts";
import { firstAndLast } from "@/lib/audit-logs/read/first-and-last";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { token } from "@/lib/audit-logs/tokens";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { refusedBy } from "@/lib/network/whitelist";

/**
 * Addresses that used the key in the last 30 UTC days and that a whitelist would refuse. Excludes requests with a rotated-out secret,
 * which are refused regardless of the whitelist. Throws 403, 404.
 */
export async function previewWhitelist(
  principal: Principal,
  { id, ip_whitelist }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  const key = await db().apiKey.findUnique({ where, select: { ipWhitelist: true } });
  if (key === null) throw notFound();
  const scope = await scopeOf(organizationId);
  const since = daysBack(scope, USAGE_DAYS);
  const seen = addressesOf(await readKeyCounts(scope, id, since, ["key_origin"]), true);
  const isRefused = refusedBy(ip_whitelist);
  const isRefusedAlready = refusedBy(key.ipWhitelist);
  const refused = seen
    .filter(({ address }) => isRefused(address))
    .map((origin) => ({ ...origin, refused_already: isRefusedAlready(origin.address) }))
    .sort((a, b) => Number(a.refused_already) - Number(b.refused_already));
  const listed = refused.slice(0, MAX_LISTED);
  const times = await firstAndLast(
    scope,
    listed.map(({ address, firstDay, lastDay }) => ({
      tokens: [token("apiKey", id), ...(address === null ? [] : [token("ip", address)])],
      ...{ firstDay, lastDay, nowhere: address === null },
      without: "rotated_secret",
    })),
  );
  return {
    since: new Date(since).toISOString(),
    addresses_seen: seen.length,
    refused_addresses: refused.length,
    refused_requests: refused.reduce((sum, { requests }) => sum + requests, 0),
    refused: listed.map(({ address, country, requests, lastDay, refused_already }, index) => ({
      ip_address: address,
      country,
      requests,
      last_seen_at: times[index]?.lastAt ?? new Date(lastDay).toISOString(),
      refused_already,
    })),
  };
}
