import { readAttempts } from "@/lib/api-keys/old-secrets/attempts";
import type * as contract from "@/lib/api-keys/old-secrets/contract";
import { addressesOf } from "@/lib/api-keys/old-secrets/figures";
import { getOldSecretUse, strangerOf } from "@/lib/api-keys/old-secrets/get";
import { isStranger } from "@/lib/audit-logs/standing";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Maximum number of unrecognized addresses to store, latest first; an older address that comes back counts as new. */
const MAX_STRANGERS = 1_000;

/** Records that the attempts with a key's old secrets were handled, with the unrecognized addresses until then. Throws 403, 404, 503. */
export async function handleOldSecretUse(
  principal: Principal,
  { id, note, until }: Input<typeof contract.handleOldSecretUse>,
): Promise<Output<typeof contract.handleOldSecretUse>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const key = await db().apiKey.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: { secrets: { select: { hint: true, retiredAt: true } } },
  });
  if (key === null) throw notFound();
  const now = Date.now();
  const { attempts } = await readAttempts(organizationId, key, Math.min(until ?? now, now));
  const strangers = addressesOf(attempts)
    .filter(({ standing }) => isStranger(standing))
    .sort((a, b) => (a.last_attempt_at < b.last_attempt_at ? 1 : -1))
    .map(({ ip_address }) => strangerOf(ip_address));
  await auditedTransaction(async (tx, event) => {
    const handled = {
      handledAt: event.occurredAt,
      handledByType: actor.type,
      handledById: actor.type === "system" ? null : actor.id,
      handledByName: actor.name,
      note,
      strangers: [...new Set(strangers)].slice(0, MAX_STRANGERS),
    };
    await tx.oldSecretsHandling.upsert({
      where: { organizationId_apiKeyId: { organizationId, apiKeyId: id } },
      create: { organizationId, apiKeyId: id, ...handled },
      update: handled,
    });
    event.resource("api_key", id);
  });
  return getOldSecretUse(principal, { id });
}
