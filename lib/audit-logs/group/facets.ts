import ipaddr from "ipaddr.js";
import { partOf } from "@/lib/audit-logs/count/parts";
import { type TopValues, topValues } from "@/lib/audit-logs/count/stats";
import { assertRange, type Filters } from "@/lib/audit-logs/filters";
import { countNewest, GROUP_LIMITS } from "@/lib/audit-logs/group/count-newest";
import { facetDimensions, GROUP_PREFIXES } from "@/lib/audit-logs/group/dimensions";
import type { AuditFacet, getAuditFacets as contract } from "@/lib/audit-logs/group/facets-contract";
import { type FacetRow, facetsCounting } from "@/lib/audit-logs/group/facets-query";
import { rangeOf, type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { networkOf } from "@/lib/audit-logs/tokens";
import { isTimeLimit } from "@/lib/db/unavailable";
import { countryOf } from "@/lib/http/country";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const MAX_VALUES = 10;
type Value = AuditFacet["values"][number];
type FacetDimension = AuditFacet["dimension"];

/**
 * The most frequent values of every dimension. If many events match, only the newest are counted, for about `budgetMs`; without filters
 * other than a range or reads in the dashboard, the dimensions that rollups have are counted over the whole range. Throws 400.
 */
export async function getAuditFacets(
  { organizationId }: Principal,
  filters: Input<typeof contract>,
  budgetMs = GROUP_LIMITS.budgetMs,
): Promise<Output<typeof contract>> {
  assertRange(filters);
  const scope = await scopeOf(organizationId);
  const [{ rows, events, range }, rollups] = await Promise.all([
    countNewest<FacetRow>(scope, filters, facetsCounting(), { ...GROUP_LIMITS, budgetMs }),
    partOf(filters) !== null ? rollupFacets(scope, filters).catch(nullIfTooLate) : null,
  ]);
  const whole = range.hasEarlier ? rollups : null;
  const since = new Date(range.from).toISOString();
  return {
    since,
    until: new Date(range.to).toISOString(),
    has_earlier: range.hasEarlier,
    events,
    retention_days: scope.days,
    facets: facetDimensions.map(
      (dimension) => whole?.get(dimension) ?? { dimension, since, values: valuesOf(rows, dimension) },
    ),
  };
}

function valuesOf(rows: readonly FacetRow[], dimension: FacetDimension): Value[] {
  const own = rows.filter((row) => row.dimension === dimension);
  if (dimension === "flag") return flagValues(own);
  return own.flatMap(({ value, name, country, events }) =>
    value === null ? [] : [toValue(dimension, value, Number(events), name, country)],
  );
}

/** Flags are counted by set, such as `{new_address,new_country}`. */
function flagValues(sets: readonly FacetRow[]): Value[] {
  const counts = new Map<string, number>();
  for (const { value, events } of sets) {
    for (const flag of (value ?? "{}").slice(1, -1).split(",")) {
      if (flag !== "") counts.set(flag, (counts.get(flag) ?? 0) + Number(events));
    }
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([flag, events]) => toValue("flag", flag, events));
}

function toValue(
  dimension: FacetDimension,
  value: string,
  events: number,
  name: string | null = null,
  country: string | null = null,
): Value {
  if (dimension !== "ip") return { value, name, country: null, network: null, events };
  return { value, name, country, network: networkOf(value, GROUP_PREFIXES[ipaddr.parse(value).kind()]), events };
}

/** Counts of the newest events are there even if those of the whole range take too long. */
function nullIfTooLate(error: unknown): null {
  if (isTimeLimit(error)) return null;
  throw error;
}

/** The facets that rollups have, over the whole range. */
async function rollupFacets(scope: Scope, filters: Filters): Promise<Map<FacetDimension, AuditFacet>> {
  const top = await topValues(scope, filters, ["api_key", "ip", "country", "route", "status", "error_code", "flag"]);
  const since = new Date(rangeOf(scope, filters).from).toISOString();
  const counted: Partial<Record<FacetDimension, TopValues>> = { ...top, api_key_id: top.api_key };
  return new Map(
    facetDimensions.flatMap((dimension) => {
      const values = counted[dimension]?.map(({ value, requests }) =>
        toValue(dimension, value, requests, null, dimension === "ip" ? countryOf(value) : null),
      );
      return values === undefined ? [] : [[dimension, { dimension, since, values }] as const];
    }),
  );
}
