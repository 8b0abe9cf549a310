import { HOUR_MS } from "@/lib/time/units";

/** SQL: when the oldest issuance of the domain `d` began that can be a finding. */
export const ACCOUNTED_FROM = "d.accounted_since - interval '1 day'";

/** SQL: whether an issuance `i` of the domain `d` is a finding, because nobody accounts for it in time. */
export const IS_UNAUTHORIZED = `(i.authorized_by IS NULL AND i.not_after > now() AND d.unauthorized_after_hours IS NOT NULL
  AND i.not_before >= ${ACCOUNTED_FROM}
  AND i.first_seen_at + make_interval(hours => d.unauthorized_after_hours) <= now())`;

interface Row {
  authorizedBy: string | null;
  notBefore: Date;
  notAfter: Date;
  firstSeenAt: Date;
}

/** When an issuance became a finding, by the same rule; null if it is not a finding. Expired issuances keep their state. */
export function unauthorizedSince(
  { authorizedBy, notBefore, notAfter, firstSeenAt }: Row,
  domain: { unauthorizedAfterHours: number | null; accountedSince: Date | null },
  now: Date,
): Date | null {
  const { unauthorizedAfterHours: hours, accountedSince: from } = domain;
  if (authorizedBy !== null || hours === null || from === null) return null;
  if (notBefore.getTime() < from.getTime() - 24 * HOUR_MS) return null;
  const since = new Date(firstSeenAt.getTime() + hours * HOUR_MS);
  return since <= now && since < notAfter ? since : null;
}
