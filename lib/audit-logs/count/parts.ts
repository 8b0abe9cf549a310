import { isNotOfDashboard } from "@/lib/audit-logs/conditions";
import { type Dimension, isRead, READ, readDimension } from "@/lib/audit-logs/count/dimensions";
import { type Choice, type Filters, hasOnlyRange } from "@/lib/audit-logs/filters";

/** A part of all events that rollups can count, in SQL. */
export interface Part {
  /** The condition for events. */
  ofEvents: string;
  /** The condition for counts that contribute to some dimensions. */
  ofCounts: (of: readonly Dimension[]) => string;
  /** The dimension that a count contributes to, and its contribution. `events` is the name of the column of counts. */
  dimension: string;
  contribution: (events: string) => string;
}

const quoted = (names: readonly string[]) => `(${names.map((name) => `'${name}'`).join(", ")})`;
const isOfReads = `starts_with(dimension, '${READ}_')`;
const withoutPrefix = `CASE WHEN ${isOfReads} THEN substr(dimension, ${READ.length + 2}) ELSE dimension END`;

/** All events, reads by people in the dashboard, and all others. */
export const parts: Record<"all" | "reads" | "others", Part> = {
  all: {
    ofEvents: "true",
    ofCounts: (of) => `dimension IN ${quoted(of)}`,
    dimension: "dimension",
    contribution: (events) => events,
  },
  reads: {
    ofEvents: isRead("tokens"),
    ofCounts: (of) => {
      const total = of.filter((dimension) => dimension === "total");
      return `dimension IN ${quoted([...total, ...of.map(readDimension)])} AND NOT (dimension = 'total' AND value = '')`;
    },
    dimension: withoutPrefix,
    contribution: (events) => events,
  },
  others: {
    ofEvents: `(${isNotOfDashboard} OR NOT ${isRead("tokens")})`,
    ofCounts: (of) =>
      `dimension IN ${quoted([...of, ...of.map(readDimension)])} AND NOT (dimension = 'total' AND value = '${READ}')`,
    dimension: withoutPrefix,
    contribution: (events) => `CASE WHEN ${isOfReads} THEN -${events} ELSE ${events} END`,
  },
};

/** The part of all events that the filters select, if rollups have its counts; otherwise null. */
export function partOf({ via, ...others }: Filters): keyof typeof parts | null {
  if (!hasOnlyRange(others)) return null;
  if (via === undefined) return "all";
  const isOnlyReads = (values: Choice["include"]) => values.length === 1 && values[0] === "dashboard_read";
  if (via.include.length === 0) return isOnlyReads(via.exclude) ? "others" : null;
  return via.exclude.length === 0 && isOnlyReads(via.include) ? "reads" : null;
}
