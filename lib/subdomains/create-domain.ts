import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { readDomain, recordedDomain } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";
import { newChallenge } from "@/lib/subdomains/proof";
import { refuseUnregistrable } from "@/lib/subdomains/registrable";

/** Adds a domain. Discovery starts once its TXT record was found. Throws 400, 402, 403, 409. */
export async function createDomain(
  principal: Principal,
  { name, interval_hours, expected_issuers, sources, ...accounting }: Input<typeof contract.createDomain>,
): Promise<Output<typeof contract.createDomain>> {
  requireAdmin(principal);
  try {
    refuseUnregistrable(name);
  } catch (error) {
    throw invalid("name", error instanceof Error ? error.message : "does not fit");
  }
  const { organizationId } = principal;
  const id = newId();
  const now = new Date();
  await refuseDuplicate(
    "This domain has already been added.",
    auditedTransaction(async (tx, event) => {
      await requireRoom(tx, organizationId, "domains", 1);
      const made = await tx.domain.create({
        data: {
          organizationId,
          id,
          name,
          challenge: newChallenge(),
          intervalHours: interval_hours,
          expectedIssuers: expected_issuers,
          unauthorizedAfterHours: accounting.unauthorized_after_hours,
          accountedSince: accounting.unauthorized_after_hours === null ? null : now,
          authorizedIssuers: accounting.authorized_issuers,
          authorizedKeys: accounting.authorized_keys,
          createdAt: now,
          updatedAt: now,
        },
      });
      await tx.domainSource.createMany({
        data: sources.map((source) => ({ organizationId, domainId: id, source })),
      });
      event.resource("domain", id);
      recordChanges(event, name, null, recordedDomain(made, sources));
    }),
  );
  return readDomain(organizationId, id);
}
