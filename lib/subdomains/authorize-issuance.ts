import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { alsoChanged, recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import { lockDomain } from "@/lib/subdomains/domain";
import { issuanceRelations, toIssuance } from "@/lib/subdomains/issuance";

const MAX_KEYS = 100;

/** Says that an issued certificate is the organization's own; with `remember_key`, every one of its key. Throws 403, 404, 409. */
export async function authorizeIssuance(
  principal: Principal,
  { id, remember_key }: Input<typeof contract.authorizeIssuance>,
): Promise<Output<typeof contract.authorizeIssuance>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const where = { organizationId_id: { organizationId, id } };
  return auditedTransaction(async (tx, event) => {
    const found = await tx.issuance.findUnique({ where });
    if (found === null) throw notFound();
    // The sources of a domain lock it first, too.
    const domain = await lockDomain(tx, organizationId, found.domainId);
    const before = await tx.issuance.findUniqueOrThrow({ where });
    event.resource("issuance", id);
    const key = before.publicKeySha256 === null ? null : Buffer.from(before.publicKeySha256).toString("hex");
    const authorizedKeys = remember_key ? withKey(domain.authorizedKeys, key) : domain.authorizedKeys;
    if (authorizedKeys !== domain.authorizedKeys) {
      await tx.domain.update({
        where: { organizationId_id: { organizationId, id: domain.id } },
        data: { authorizedKeys, updatedAt: new Date() },
      });
      alsoChanged(event, domain.id);
    }
    const after = await tx.issuance.update({
      where,
      data: { authorizedBy: remember_key ? "authorized_key" : "person", authorizedName: actor.name },
      include: issuanceRelations,
    });
    const recorded = (by: string | null, keys: readonly string[]) => ({ authorized_by: by, authorized_keys: keys });
    recordChanges(
      event,
      before.names[0] ?? "",
      recorded(before.authorizedBy, domain.authorizedKeys),
      recorded(after.authorizedBy, authorizedKeys),
    );
    if (remember_key) {
      await tx.issuance.updateMany({
        where: { organizationId, domainId: domain.id, publicKeySha256: before.publicKeySha256, authorizedBy: null },
        data: { authorizedBy: "authorized_key" },
      });
    }
    await evaluateSoon(tx, organizationId);
    return toIssuance(after);
  });
}

function withKey(keys: string[], key: string | null): string[] {
  if (key === null) throw new ApiError("CONFLICT", "No source reports the key of this certificate.");
  if (keys.includes(key)) return keys;
  if (keys.length >= MAX_KEYS) throw new ApiError("CONFLICT", `The domain already has ${MAX_KEYS} authorized keys.`);
  return [...keys, key];
}
