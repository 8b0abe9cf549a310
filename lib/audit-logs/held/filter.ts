import { assertRange, type Filters, filters } from "@/lib/audit-logs/filters";
import { ApiError, invalid } from "@/lib/http/errors";

/**
 * The filters in a hold's query string. Only the log's own: settings of views, such as relative ranges, would select other events each
 * day. Throws 400 for the field `filter`, naming the parameter.
 */
export function parseHoldFilter(text: string): Filters {
  const parameters = [...new URLSearchParams(text.replace(/^\?/, ""))];
  const names = parameters.map(([name]) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw invalid("filter", `has ${quoted(repeated)} twice`);
  if (names.length === 0) throw invalid("filter", "has no parameter");
  const parsed = filters.safeParse(Object.fromEntries(parameters));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue?.code === "unrecognized_keys") {
      const [unknown = ""] = issue.keys;
      throw invalid(
        "filter",
        `has ${quoted(unknown)}, which is not a filter of the log, or not one with a fixed meaning`,
      );
    }
    throw invalid(
      "filter",
      `has a wrong ${quoted(String(issue?.path[0] ?? ""))}: ${issue?.message ?? "it cannot be read"}`,
    );
  }
  try {
    assertRange(parsed.data);
  } catch (error) {
    if (error instanceof ApiError) throw invalid("filter", "has an until that is not after since");
    throw error;
  }
  return parsed.data;
}

const quoted = (name: string) => `"${name.slice(0, 50)}"`;
