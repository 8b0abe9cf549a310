import type pg from "pg";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { config } from "@/lib/config";
import { connectClient } from "@/lib/db/connections";
import { isTimeLimit } from "@/lib/db/unavailable";
import { BEFORE_ANY_ID } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { type Finding, failed, ok, skipped, warning } from "@/server/doctor/check";
import { NO_TABLE } from "@/server/doctor/check-schema";

/** Organizations per step, steps, doubtful ones per step, organizations with held events, and those that a finding names, at most. */
const LIMITS = { step: 1_000, steps: 10, doubtful: 20, held: 200, named: 5 };
/** What PostgreSQL says of a column that does not exist. */
const NO_COLUMN = "42703";
const GUIDE = "docs/operations/backup-and-restore.md, Only the monitoring database";
const TODO_HELD = `If only the monitoring database was restored, place the holds again: ${GUIDE}.`;

/** An organization, and the retention classes in which it sees its events. */
interface Organization {
  id: string;
  slug: string;
  plan: string;
  audit_classes: number[];
  audit_has_held: boolean;
}

/** Events of an organization in a class in which it does not see them. */
interface Hidden {
  slug: string;
  days: number;
}

/**
 * Whether organizations see the classes in which their events are filed: not if only the monitoring database was restored, and plans
 * were changed or holds placed since that backup. `audit` may read the audit database.
 */
export async function checkFiling(check: string, audit: pg.Client): Promise<Finding[]> {
  const organizations = await readOrganizations();
  if (organizations === null) return [skipped(check, "after the monitoring database")];
  const hidden: Hidden[] = [];
  for (let at = 0; at < organizations.length && hidden.length < LIMITS.named; at += LIMITS.step) {
    hidden.push(...(await findHidden(audit, organizations.slice(at, at + LIMITS.step))));
  }
  const held = await findHiddenHeld(audit, organizations);
  hidden.push(...(held ?? []));
  const unknown =
    held === null ? [warning(check, "it takes too long to read which events are on hold", TODO_HELD)] : [];
  if (hidden.length === 0 && held !== null)
    return [ok(check, `${organizations.length} organizations see where their events are filed`)];
  if (hidden.length === 0) return unknown;
  const named = hidden.slice(0, LIMITS.named).map(wordsOf).join(", ");
  const more = hidden.length > LIMITS.named ? ", and others" : "";
  return [
    failed(check, `some events are hidden: ${named}${more}`, `Set their plans and place their holds again: ${GUIDE}.`),
    ...unknown,
  ];
}

const wordsOf = ({ slug, days }: Hidden) =>
  days === HELD_CLASS ? `of ${slug} those on hold` : `of ${slug} those kept for ${days} days`;

/** The organizations, up to a number; null if the monitoring database cannot say, which its own checks report. */
async function readOrganizations(): Promise<Organization[] | null> {
  const organizations: Organization[] = [];
  let client: pg.Client;
  try {
    client = await connectClient(config().DATABASE_URL ?? "", "migration");
  } catch {
    return null;
  }
  try {
    await client.query("SET statement_timeout = '5s'; SET default_transaction_read_only = on");
    for (let step = 0; step < LIMITS.steps; step++) {
      const { rows } = await client.query<Organization>(
        `SELECT id, slug, plan, audit_classes, audit_has_held FROM organizations WHERE id > $1 ORDER BY id LIMIT ${LIMITS.step}`,
        [organizations.at(-1)?.id ?? BEFORE_ANY_ID],
      );
      organizations.push(...rows);
      if (rows.length < LIMITS.step) break;
    }
    return organizations;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === NO_TABLE || code === NO_COLUMN) return null;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * The first of these organizations that do not see a class. A change of the plan files all seals anew, so the oldest and the newest of
 * an organization tell the classes, without a look into every day of each.
 */
async function findHidden(audit: pg.Client, organizations: readonly Organization[]): Promise<Hidden[]> {
  const seals = "SELECT retention_days FROM audit_seals WHERE organization_id = own.id ORDER BY filed_at";
  const { rows } = await audit.query<{ id: string; days: number }>(
    `SELECT own.id, filed.retention_days AS days FROM unnest($1::uuid[]) AS own (id)
     CROSS JOIN LATERAL ((${seals} LIMIT 1) UNION (${seals} DESC LIMIT 1)) AS filed`,
    [organizations.map(({ id }) => id)],
  );
  const known = new Map(organizations.map((organization) => [organization.id, organization]));
  const doubtful = rows.flatMap(({ id, days }) => {
    const own = known.get(id);
    const isSeen = own === undefined || days === auditRetentionDays(own.plan) || own.audit_classes.includes(days);
    return isSeen ? [] : { id, slug: own.slug, days };
  });
  const hidden: Hidden[] = [];
  for (const { id, slug, days } of doubtful.slice(0, LIMITS.doubtful)) {
    // A log whose events are gone hides nothing. The class is a value, so that only its days are planned.
    const { rows: events } = await audit.query(
      "SELECT FROM audit_events WHERE organization_id = $1 AND retention_days = $2 LIMIT 1",
      [id, days],
    );
    if (events.length > 0) hidden.push({ slug, days });
  }
  return hidden;
}

/**
 * Those of these organizations that have held events and do not see them. Few have any, so only they are read. Null if it took too long:
 * each step looks into every day that has held events.
 */
async function findHiddenHeld(audit: pg.Client, organizations: readonly Organization[]): Promise<Hidden[] | null> {
  const next = (after: string) =>
    `SELECT organization_id FROM audit_events WHERE retention_days = ${HELD_CLASS} ${after} ORDER BY organization_id LIMIT 1`;
  const found = await audit
    .query<{ organization_id: string }>(
      `WITH RECURSIVE held AS (
         (${next("")})
         UNION ALL
         SELECT next.organization_id FROM held CROSS JOIN LATERAL (${next("AND organization_id > held.organization_id")}) AS next
       ) SELECT organization_id FROM held LIMIT ${LIMITS.held}`,
    )
    .catch((error: unknown) => {
      if (isTimeLimit(error)) return null;
      throw error;
    });
  if (found === null) return null;
  const held = new Set(found.rows.map(({ organization_id }) => organization_id));
  return organizations.flatMap(({ id, slug, audit_has_held }) =>
    held.has(id) && !audit_has_held ? { slug, days: HELD_CLASS } : [],
  );
}
