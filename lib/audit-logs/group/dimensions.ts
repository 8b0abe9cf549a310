import type { filterQuery } from "@/lib/audit-logs/filters";

/** What events can be grouped by. */
export const groupDimensions = [
  "api_key_id",
  "user_id",
  "ip",
  "network",
  "country",
  "route",
  "method",
  "status",
  "error_code",
  "flag",
  "user_agent",
  "action",
] as const;

export type GroupDimension = (typeof groupDimensions)[number];

/** Prefix lengths of the dimension `network`. */
export const GROUP_PREFIXES = { ipv4: 24, ipv6: 48 } as const;

/** The dimensions that facets show. */
export const facetDimensions = [
  "api_key_id",
  "user_id",
  "ip",
  "country",
  "route",
  "status",
  "error_code",
  "flag",
  "user_agent",
] as const satisfies GroupDimension[];

/** Each dimension as SQL over columns of an event; null for events without a value. A flag needs `unnest(flags) AS flag`. */
export const dimensionSql: Record<GroupDimension, string> = {
  api_key_id: "api_key_id",
  user_id: "user_id",
  ip: "ip_address",
  network: `network(set_masklen(ip_address, CASE family(ip_address) WHEN 4 THEN ${GROUP_PREFIXES.ipv4} ELSE ${GROUP_PREFIXES.ipv6} END))`,
  country: "country",
  route: "route",
  method: "method",
  status: "status_code",
  error_code: "error_code",
  flag: "flag",
  user_agent: "NULLIF(user_agent, '')",
  action: "action",
};

/** The columns that a dimension and the names of its values need. */
export const dimensionColumns: Record<GroupDimension, readonly string[]> = {
  api_key_id: ["api_key_id", "api_key_name"],
  user_id: ["user_id", "user_name"],
  ip: ["ip_address"],
  network: ["ip_address"],
  country: ["country"],
  route: ["route"],
  method: ["method"],
  status: ["status_code"],
  error_code: ["error_code"],
  flag: ["flags"],
  user_agent: ["user_agent"],
  action: ["action"],
};

/** The text of a value of `dimensionSql`, which is cheaper to group by than its text. */
export function textSql(dimension: GroupDimension, value: string): string {
  return dimension === "ip" ? `host(${value})` : `${value}::text`;
}

/** The filter that finds the events with a value of the dimension. */
export function filterOf(dimension: GroupDimension): keyof typeof filterQuery {
  return dimension === "network" ? "ip" : dimension;
}
