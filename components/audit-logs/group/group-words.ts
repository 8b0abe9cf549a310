import { type KnownValues, nameOf } from "@/components/audit-logs/filters/filter-fields";
import { countryName } from "@/components/statistics/countries";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { flags } from "@/lib/audit-logs/flags";
import { filterOf, type GroupDimension, groupDimensions } from "@/lib/audit-logs/group/dimensions";

/** The name of a dimension as a heading. */
export const dimensionLabels: Record<GroupDimension, string> = {
  api_key_id: "Key",
  user_id: "User",
  ip: "Address",
  network: "Network",
  country: "Country",
  route: "Route",
  method: "Method",
  status: "Status",
  error_code: "Error",
  flag: "Flag",
  user_agent: "User agent",
  action: "Action",
};

/** Dimensions whose values are names; all others are machine text. */
export const inWords: ReadonlySet<GroupDimension> = new Set(["api_key_id", "user_id", "country", "flag"]);

/** The display name of a value. `name` is the one that an event has. */
export function valueLabel(dimension: GroupDimension, value: string, name: string | null, known: KnownValues): string {
  if (dimension === "country") return countryName(value);
  if (dimension === "flag") return flags.flatMap((flag) => (flag === value ? [flagLabels[flag]] : []))[0] ?? value;
  if (dimension === "route") return value.replace(/^\/api\/v\d+(?=\/)/, "");
  const current = nameOf(filterOf(dimension), value, known);
  return current === value ? (name ?? value) : current;
}

/** The dimensions that the URL groups by: none, one or two. */
export function groupedBy(params: Record<string, string>): GroupDimension[] {
  const asked = params.group?.split(",") ?? [];
  return [...new Set(asked)].flatMap((name) => groupDimensions.filter((each) => each === name)).slice(0, 2);
}
