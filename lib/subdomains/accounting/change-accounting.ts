import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import type { Transaction } from "@/lib/db/app";
import type { Domain } from "@/lib/db/generated/app/client";
import { accountFor } from "@/lib/subdomains/accounting/account-issuances";

interface Given {
  unauthorized_after_hours?: number | null | undefined;
  authorized_issuers?: string[] | undefined;
  authorized_keys?: string[] | undefined;
}

/** The columns that a change of a domain's accounting sets. It begins anew when it is turned on. */
export function accountingColumns(before: Domain, given: Given, now: Date) {
  const { unauthorized_after_hours: hours, authorized_issuers, authorized_keys } = given;
  const isOff = before.unauthorizedAfterHours === null;
  return {
    ...(hours !== undefined && { unauthorizedAfterHours: hours }),
    ...(hours !== undefined && hours !== null && isOff && { accountedSince: now }),
    ...(authorized_issuers !== undefined && { authorizedIssuers: authorized_issuers }),
    ...(authorized_keys !== undefined && { authorizedKeys: authorized_keys }),
  };
}

/** Accounts for a domain's issuances anew: those that its former issuers and keys accounted for may be nobody's now. */
export async function accountAnew(tx: Transaction, organizationId: string, domainId: string): Promise<void> {
  await tx.issuance.updateMany({
    where: { organizationId, domainId, authorizedBy: { in: ["issuer", "authorized_key"] } },
    data: { authorizedBy: null, authorizedName: null },
  });
  await accountFor((text, values) => tx.$queryRawUnsafe(text, ...values), organizationId, domainId);
  await evaluateSoon(tx, organizationId);
}
