import type { Filters } from "@/lib/audit-logs/filters";
import { dimensionSql, facetDimensions, textSql } from "@/lib/audit-logs/group/dimensions";
import type { GroupedRange } from "@/lib/audit-logs/group/newest";
import type { Scope } from "@/lib/audit-logs/scope";
import { where } from "@/lib/audit-logs/where";
import { idAt } from "@/lib/ids";

/** The count of one value; of all events if `dimension` is null. For `flag`, values are sets of flags. */
export interface FacetRow {
  dimension: (typeof facetDimensions)[number] | null;
  value: string | null;
  name: string | null;
  country: string | null;
  events: string;
}

/** One scan that counts all dimensions at once, and keeps the ten most frequent values of each. */
export function facetsQuery(scope: Scope, filters: Filters, range: GroupedRange): { text: string; values: unknown[] } {
  const { since: _since, until: _until, ...chosen } = filters;
  const matching = where(scope, chosen);
  matching.add(`id >= ${matching.value(idAt(range.from))} AND id < ${matching.value(idAt(range.to))}`);
  const columns = facetDimensions.map((dimension) => `${dimension}_value`);
  const select = facetDimensions.map((dimension, at) => {
    const sql = dimension === "flag" ? "NULLIF(flags, '{}')" : dimensionSql[dimension];
    return `${sql} AS ${columns[at]}`;
  });
  const texts = facetDimensions.map((dimension) => textSql(dimension, `${dimension}_value`));
  const cases = facetDimensions.map((dimension) => `WHEN GROUPING(${dimension}_value) = 0 THEN '${dimension}'`);
  const text = `
WITH counted AS (
  SELECT CASE ${cases.join(" ")} END AS dimension, coalesce(${texts.join(", ")}) AS value, count(*) AS events,
    max(country) AS country,
    CASE WHEN GROUPING(api_key_id_value) = 0 THEN max(api_key_name) WHEN GROUPING(user_id_value) = 0 THEN max(user_name) END AS name
  FROM (SELECT ${select.join(", ")}, country, api_key_name, user_name FROM audit_events WHERE ${matching}) AS events
  GROUP BY GROUPING SETS ((), ${columns.map((column) => `(${column})`).join(", ")})
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY events DESC, value) AS rank FROM counted
  WHERE dimension IS NULL OR value IS NOT NULL
)
SELECT dimension, value, name, country, events FROM ranked WHERE rank <= 10 OR dimension = 'flag' ORDER BY dimension, rank`;
  return { text, values: matching.values };
}
