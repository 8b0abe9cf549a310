import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { lockDomain, readDomain } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";
import { REST_MINUTES } from "@/lib/subdomains/domain-contract";

/**
 * Makes every source of a verified domain due: now, but not before it has rested since its last run began, nor before the end of a pause
 * that it requested. Never later than it would be anyway. Throws 403, 404, 409.
 */
export async function discoverDomain(
  principal: Principal,
  { id }: Input<typeof contract.discoverDomain>,
): Promise<Output<typeof contract.discoverDomain>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await auditedTransaction(async (tx, event) => {
    const { provenAt } = await lockDomain(tx, organizationId, id);
    if (provenAt === null)
      throw new ApiError("CONFLICT", "This domain is not verified yet: its TXT record was never found.");
    await tx.$executeRaw`UPDATE domain_sources
      SET next_run_at = least(next_run_at, greatest(now(), held_until, last_started_at + make_interval(mins => ${REST_MINUTES}::integer)))
      WHERE organization_id = ${organizationId}::uuid AND domain_id = ${id}::uuid`;
    event.resource("domain", id);
  });
  return readDomain(organizationId, id);
}
