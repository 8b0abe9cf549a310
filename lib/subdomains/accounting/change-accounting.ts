import type { Domain } from "@/lib/db/generated/app/client";
import { BEFORE_ANY_ID } from "@/lib/ids";

interface Given {
  unauthorized_after_hours?: number | null | undefined;
  authorized_issuers?: string[] | undefined;
  authorized_keys?: string[] | undefined;
}

/** The columns that a change of a domain's accounting sets. It starts over when it is turned on. */
export function accountingColumns(before: Domain, given: Given, now: Date) {
  const { unauthorized_after_hours: hours, authorized_issuers, authorized_keys } = given;
  const isOff = before.unauthorizedAfterHours === null;
  return {
    // Those that its former issuers and keys accounted for may be nobody's now.
    ...(Object.values(given).some((value) => value !== undefined) && { accountAfter: BEFORE_ANY_ID }),
    ...(hours !== undefined && { unauthorizedAfterHours: hours }),
    ...(hours !== undefined && hours !== null && isOff && { accountedSince: now }),
    ...(authorized_issuers !== undefined && { authorizedIssuers: authorized_issuers }),
    ...(authorized_keys !== undefined && { authorizedKeys: authorized_keys }),
  };
}
