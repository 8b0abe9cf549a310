import type * as contract from "@/lib/analytics/contract";
import { COUNTS, type InUseRow, queryInUse, SHOWN, toCertificateInUse } from "@/lib/analytics/in-use";
import { lifetimeSchedule } from "@/lib/certificates/judge/policy";
import type { Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Lifetimes in days, with both ends inclusive (RFC 5280). */
const DAYS = "extract(epoch FROM not_after - not_before + interval '1 second') / 86400";
/** The rules that take effect in or after 2026: certificates issued under earlier rules may stay. */
const RULES = lifetimeSchedule.filter(({ from }) => from >= "2026");
/** Days beyond every step of the schedule. */
const LONGER = 100_000;

/** Lifetimes of the certificates in use, and the certificates that each rule would not allow to be issued again. */
export async function getAnalyticsLifetimes({
  organizationId,
}: Principal): Promise<Output<typeof contract.getAnalyticsLifetimes>> {
  const steps = [...new Set(lifetimeSchedule.map(({ days }) => days))].sort((a, b) => a - b);
  const [groups, ...rules] = await Promise.all([
    queryInUse<{ step: number; certificates: number; endpoints: number }>(
      organizationId,
      `SELECT coalesce((SELECT min(step) FROM unnest($2::integer[]) AS step WHERE ${DAYS} <= step), ${LONGER}) AS step, ${COUNTS}
       FROM in_use GROUP BY 1`,
      [steps],
    ),
    ...RULES.map(async ({ from, days }) => {
      const [counts] = await queryInUse<{ certificates: number; endpoints: number }>(
        organizationId,
        `SELECT ${COUNTS} FROM in_use WHERE ${DAYS} > $2`,
        [days],
      );
      const longest = await queryInUse<InUseRow>(
        organizationId,
        `SELECT ${SHOWN} FROM in_use WHERE ${DAYS} > $2 ORDER BY not_after - not_before DESC, id LIMIT 20`,
        [days],
      );
      return {
        effective_from: from,
        max_days: days,
        certificates: counts?.certificates ?? 0,
        endpoints: counts?.endpoints ?? 0,
        longest: longest.map(toCertificateInUse),
      };
    }),
  ]);
  const byStep = new Map(groups.map(({ step, ...counts }) => [step, counts]));
  return {
    lifetimes: [...steps, LONGER].map((days) => ({
      days,
      ...(byStep.get(days) ?? { certificates: 0, endpoints: 0 }),
    })),
    rules,
  };
}
