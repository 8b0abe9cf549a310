import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { wakeRules } from "@/lib/alert-schedule/wake";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { isExpectedIssuer } from "@/lib/certificates/judge/policy";
import type { Transaction } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { accountAgain } from "@/lib/subdomains/accounting/account-issuances";
import { accountingColumns } from "@/lib/subdomains/accounting/change-accounting";
import { lockDomain, readDomain, recordedDomain } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";
import { REST_MINUTES } from "@/lib/subdomains/domain-contract";
import { MINUTE_MS } from "@/lib/time/units";

/** Milliseconds in which a request accounts for issuances again; the worker does the rest. */
const ACCOUNTING_MS = 2_000;

/** The change is committed: what fails here is left to the worker. */
async function accountForSome(organizationId: string, id: string): Promise<void> {
  try {
    const changed = await accountAgain(organizationId, id, AbortSignal.timeout(ACCOUNTING_MS));
    if (changed > 0) wakeRules("state", [organizationId]);
  } catch (error) {
    logFailure("issued certificates could not be accounted for again; the worker will", error, { domain_id: id });
  }
}

/**
 * Changes the given fields. Evaluates issued certificates again if what they are judged by changed. An added source runs immediately,
 * or once the domain has rested since its previous change: a source that is removed and added again has forgotten when it ran. Throws 400, 403, 404.
 */
export async function updateDomain(
  principal: Principal,
  { id, interval_hours, expected_issuers, sources, ...accounting }: Input<typeof contract.updateDomain>,
): Promise<Output<typeof contract.updateDomain>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await auditedTransaction(async (tx, event) => {
    const before = await lockDomain(tx, organizationId, id);
    event.resource("domain", id);
    const now = new Date();
    if (sources !== undefined) {
      await tx.domainSource.deleteMany({ where: { organizationId, domainId: id, source: { notIn: sources } } });
      const added = sources.filter((source) => !before.sources.some((row) => row.source === source));
      const restedAt = before.updatedAt.getTime() + REST_MINUTES * MINUTE_MS;
      const nextRunAt = before.provenAt === null ? null : new Date(Math.max(now.getTime(), restedAt));
      await tx.domainSource.createMany({
        data: added.map((source) => ({ organizationId, domainId: id, source, nextRunAt })),
      });
    }
    const held = before.sources.map(({ source }) => source);
    const after = await tx.domain.update({
      where: { organizationId_id: { organizationId, id } },
      data: {
        ...(interval_hours !== undefined && { intervalHours: interval_hours }),
        ...(expected_issuers !== undefined && { expectedIssuers: expected_issuers }),
        ...accountingColumns(before, accounting, now),
        updatedAt: now,
      },
    });
    recordChanges(event, before.name, recordedDomain(before, held), recordedDomain(after, sources ?? held));
    if (expected_issuers !== undefined) await judgeAnew(tx, organizationId, id, expected_issuers, now);
    await evaluateSoon(tx, organizationId);
  });
  await accountForSome(organizationId, id);
  return readDomain(organizationId, id);
}

async function judgeAnew(
  tx: Transaction,
  organizationId: string,
  domainId: string,
  expected: readonly string[],
  now: Date,
): Promise<void> {
  const where = { organizationId, domainId };
  const issuers = (await tx.issuance.groupBy({ by: ["issuer"], where })).map(({ issuer }) => issuer);
  const unexpected = issuers.filter((issuer) => expected.length > 0 && !isExpectedIssuer(issuer, expected));
  await tx.issuance.updateMany({
    where: { ...where, unexpectedSince: { not: null }, issuer: { notIn: unexpected } },
    data: { unexpectedSince: null },
  });
  await tx.issuance.updateMany({
    where: { ...where, unexpectedSince: null, issuer: { in: unexpected } },
    data: { unexpectedSince: now },
  });
}
