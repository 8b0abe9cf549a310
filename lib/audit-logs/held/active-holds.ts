import type pg from "pg";
import type { Filters } from "@/lib/audit-logs/filters";
import { parseHoldFilter } from "@/lib/audit-logs/held/filter";
import { pool } from "@/lib/db/app";
import { log } from "@/lib/log";

type Database = Pick<pg.ClientBase, "query">;

/** An active hold, as it selects events. */
export interface ActiveHold {
  id: string;
  name: string;
  filters: Filters;
  /** Unix milliseconds. */
  coversSince: number;
  /** Unix milliseconds. */
  placedAt: number;
}

interface Row {
  id: string;
  name: string;
  filter: string | null;
  covers_since: Date;
  placed_at: Date;
}

/** The active holds of an organization, oldest first. One whose filter cannot be read covers every event since it covers any. */
export async function readActiveHolds(organizationId: string, database: Database = pool()): Promise<ActiveHold[]> {
  const { rows } = await database.query<Row>(
    `SELECT id, name, filter, covers_since, placed_at FROM audit_holds
     WHERE organization_id = $1 AND settled_at IS NULL AND released_at IS NULL ORDER BY id`,
    [organizationId],
  );
  return rows.map(({ id, name, filter, covers_since, placed_at }) => ({
    ...{ id, name, filters: filtersOf(organizationId, id, filter) },
    ...{ coversSince: covers_since.getTime(), placedAt: placed_at.getTime() },
  }));
}

/** Which holds of an organization are active, and which are released and not filed yet, as text that is compared. */
export async function readUnsettledHolds(organizationId: string): Promise<string> {
  const { rows } = await pool().query<{ holds: string | null }>(
    `SELECT string_agg(concat_ws(' ', id, CASE WHEN released_at IS NOT NULL THEN 'released' END), ', ' ORDER BY id) AS holds
     FROM audit_holds WHERE organization_id = $1 AND settled_at IS NULL`,
    [organizationId],
  );
  return rows[0]?.holds ?? "";
}

function filtersOf(organizationId: string, hold: string, filter: string | null): Filters {
  try {
    return filter === null ? {} : parseHoldFilter(filter);
  } catch (error) {
    log.error(
      { err: error, organization_id: organizationId, hold },
      "a hold's filter cannot be read; it keeps every event",
    );
    return {};
  }
}

/** An organization whose events active holds keep, or released ones kept that are not filed yet. */
export interface HoldingOrganization {
  organizationId: string;
  isActive: boolean;
  isReleased: boolean;
  /** Since when these holds cover events, Unix milliseconds. */
  coversSince: number;
}

/** Every organization with holds whose events the worker has to keep or to file. */
export async function readHoldingOrganizations(): Promise<HoldingOrganization[]> {
  const { rows } = await pool().query<{ id: string; active: boolean; released: boolean; since: Date }>(
    `SELECT organization_id AS id, bool_or(released_at IS NULL) AS active, bool_or(released_at IS NOT NULL) AS released,
       min(covers_since) AS since
     FROM audit_holds WHERE settled_at IS NULL GROUP BY organization_id ORDER BY organization_id`,
  );
  return rows.map(({ id, active, released, since }) => ({
    ...{ organizationId: id, isActive: active, isReleased: released, coversSince: since.getTime() },
  }));
}
