import type { Filters } from "@/lib/audit-logs/filters";
import { type ActiveHold, readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { idTime } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { processSingleton } from "@/lib/process-singleton";
import { DAY_MS } from "@/lib/time/units";

/** The part of its audit log that an organization can see. */
export interface Scope {
  organizationId: string;
  /** Retention classes that may contain its events. */
  classes: number[];
  /** Unix milliseconds; of older events, only those on hold are ever returned. */
  oldest: number;
  /** Since when active holds cover events, Unix milliseconds; null without one. */
  heldSince: number | null;
  /**
   * The active holds while events of a larger former plan may be on hold that the worker has not moved to the class of held events yet;
   * empty otherwise.
   */
  holds: readonly ActiveHold[];
  /** Retention of its plan, in days. */
  days: number;
}

interface Row {
  id: string;
  plan: string;
  classes: number[];
  has_held: boolean;
  held_since: Date | null;
}

const rowOf = processSingleton("audit-logs.scope", () =>
  coalesce<string, Row | undefined>(async (ids) => {
    const { rows } = await pool().query<Row>({
      name: "audit-scopes",
      text: `SELECT id, plan, audit_classes AS classes, audit_has_held AS has_held, audit_held_since AS held_since
        FROM organizations WHERE id = ANY($1::uuid[])`,
      values: [[...new Set(ids)]],
    });
    const found = new Map(rows.map((row) => [row.id, row]));
    return (id) => found.get(id);
  }),
);

/** The organization's current scope. What a page or concurrent requests ask for at the same time shares a statement. */
export async function scopeOf(organizationId: string): Promise<Scope> {
  const organization = await rowOf(organizationId);
  const days = auditRetentionDays(organization?.plan ?? "free");
  const held = organization?.has_held === true ? [HELD_CLASS] : [];
  const classes = [...new Set([days, ...(organization?.classes ?? []), ...held])];
  const heldSince = organization?.held_since?.getTime() ?? null;
  const isMoving = heldSince !== null && classes.some((former) => former > days && former !== HELD_CLASS);
  const holds = isMoving ? await readActiveHolds(organizationId) : [];
  return { organizationId, classes, days, oldest: Date.now() - days * DAY_MS, heldSince, holds };
}

/** The time before which the organization sees nothing, in Unix milliseconds. */
export function startOf({ oldest, heldSince }: Pick<Scope, "oldest" | "heldSince">): number {
  return Math.min(oldest, heldSince ?? oldest);
}

/** The half-open time range of the filters within a scope, in Unix milliseconds. */
export function rangeOf(scope: Scope, { since, until, id }: Filters): { from: number; to: number } {
  // An id has its time, so that a search for it opens one partition.
  const times = id?.include.map(idTime) ?? [];
  const [first, last] = times.length > 0 ? [Math.min(...times), Math.max(...times) + 1] : [0, Infinity];
  // The default end includes events of this moment and from processes whose clock is slightly ahead.
  const end = until ?? Date.now() + DAY_MS;
  return { from: Math.max(startOf(scope), since ?? 0, first), to: Math.min(end, last) };
}
