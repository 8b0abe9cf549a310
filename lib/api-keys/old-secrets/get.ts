import { readAttempts } from "@/lib/api-keys/old-secrets/attempts";
import { type getOldSecretUse as contract, MAX_ADDRESSES } from "@/lib/api-keys/old-secrets/contract";
import { addressesOf, figuresOf } from "@/lib/api-keys/old-secrets/figures";
import { isStranger } from "@/lib/audit-logs/standing";
import { originOf } from "@/lib/audit-logs/write/first-seen-origins";
import { db } from "@/lib/db/app";
import type { OldSecretsHandling } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { refusedBy } from "@/lib/network/whitelist";

/** Attempts with a key's old secrets, with their addresses distinguished by whether they used the key before. Throws 404, 503. */
export async function getOldSecretUse(
  { organizationId }: Principal,
  { id }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const key = await db().apiKey.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: { secrets: { select: { hint: true, retiredAt: true } }, oldSecretsHandling: true },
  });
  if (key === null) throw notFound();
  const { since, until, hasEarlier, attempts } = await readAttempts(organizationId, key, Date.now());
  const isRefused = refusedBy(key.ipWhitelist);
  const isNew = isNewTo(key.oldSecretsHandling);
  const addresses = addressesOf(attempts).map((address) => ({
    ...address,
    is_new: isStranger(address.standing) && isNew(address.ip_address),
    is_blocked: isRefused(address.ip_address),
  }));
  const figures = figuresOf(attempts, since, until);
  return {
    api_key_id: id,
    state: attempts.length === 0 ? "none" : isOpen(key.oldSecretsHandling, addresses) ? "open" : "handled",
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    has_earlier: hasEarlier,
    ...figures,
    first_attempt_at: timeOf(attempts.at(-1)),
    last_attempt_at: timeOf(attempts[0]),
    secrets: figures.secrets.map(({ hint, attempts }) => ({
      hint,
      retired_at: key.secrets.find((secret) => secret.hint === hint)?.retiredAt?.toISOString() ?? null,
      attempts,
    })),
    stranger_count: addresses.filter(({ standing }) => isStranger(standing)).length,
    address_count: addresses.length,
    addresses: addresses.slice(0, MAX_ADDRESSES),
    handled: key.oldSecretsHandling && toHandled(key.oldSecretsHandling),
  };
}

const timeOf = (attempt: { at: number } | undefined) => (attempt ? new Date(attempt.at).toISOString() : null);

type Handling = OldSecretsHandling | null;

const isOpen = (handling: Handling, addresses: readonly { is_new: boolean }[]) =>
  handling === null || addresses.some(({ is_new }) => is_new);

/** Whether an unrecognized address had not tried an old secret yet when the attempts were handled. */
export function isNewTo(handling: Pick<OldSecretsHandling, "strangers"> | null): (address: string | null) => boolean {
  if (handling === null) return () => true;
  const there = new Set(handling.strangers);
  return (address) => !there.has(strangerOf(address));
}

/** How an unrecognized address is stored: itself, or its /64 network for IPv6. */
export const strangerOf = (address: string | null) => (address === null ? "unknown" : originOf(address));

function toHandled(handling: OldSecretsHandling) {
  return {
    at: handling.handledAt.toISOString(),
    by: {
      type: handling.handledByType as "api_key" | "user" | "system",
      id: handling.handledById,
      name: handling.handledByName,
    },
    note: handling.note,
  };
}
