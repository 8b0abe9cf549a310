import type { CountedRow, Counting } from "@/lib/audit-logs/group/count-newest";
import { dimensionColumns, dimensionSql, facetDimensions, textSql } from "@/lib/audit-logs/group/dimensions";

/** The count of one value; of all events if `dimension` is null. For `flag`, values are sets of flags. */
export interface FacetRow extends CountedRow {
  dimension: (typeof facetDimensions)[number] | null;
  value: string | null;
  name: string | null;
  country: string | null;
  events: string;
}

/** Counts all dimensions at once, and keeps the ten most frequent values of each. */
export function facetsCounting(): Counting {
  const columns = facetDimensions.map((dimension) => `${dimension}_value`);
  const select = facetDimensions.map((dimension, at) => {
    const sql = dimension === "flag" ? "NULLIF(flags, '{}')" : dimensionSql[dimension];
    return `${sql} AS ${columns[at]}`;
  });
  const texts = facetDimensions.map((dimension) => textSql(dimension, `${dimension}_value`));
  const cases = facetDimensions.map((dimension) => `WHEN GROUPING(${dimension}_value) = 0 THEN '${dimension}'`);
  const rest = `
grouped AS (
  SELECT CASE ${cases.join(" ")} END AS dimension, coalesce(${texts.join(", ")}) AS value, count(*) AS events,
    max(country) AS country,
    CASE WHEN GROUPING(api_key_id_value) = 0 THEN max(api_key_name) WHEN GROUPING(user_id_value) = 0 THEN max(user_name) END AS name
  FROM (SELECT ${select.join(", ")}, country, api_key_name, user_name FROM counted) AS events
  GROUP BY GROUPING SETS ((), ${columns.map((column) => `(${column})`).join(", ")})
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY events DESC, value) AS rank,
    max(events) FILTER (WHERE dimension IS NULL) OVER () AS total
  FROM grouped WHERE dimension IS NULL OR value IS NOT NULL
)
SELECT dimension, value, name, country, events, total, since FROM ranked, bound
WHERE rank <= 10 OR dimension = 'flag' ORDER BY dimension, rank`;
  return {
    columns: [...new Set([...facetDimensions.flatMap((dimension) => dimensionColumns[dimension]), "country"])],
    rest: () => rest,
  };
}
