import * as z from "zod";
import { flags } from "@/lib/audit-logs/flags";
import { viaValues } from "@/lib/audit-logs/via";
import { actions } from "@/lib/http/actions";
import { instant, queryNumber } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import { LISTED_VALUES, type ListedValues } from "@/lib/http/schemas/documented";
import { parseNetwork } from "@/lib/networks";
import { isUuid } from "@/lib/text/shapes/uuid";
import { splitValues } from "@/lib/text/value-list";

/** Values of one filter: an event matches if it has any value of `include` (or that is empty) and no value of `exclude`. */
export interface Choice {
  include: string[];
  exclude: string[];
}

const MAX_VALUES = 50;
const MAX_LENGTH = 5_000;
/** Headers have at most 16 KiB, so no user agent is longer; written as a filter, each of its characters may have a `\` before it. */
const MAX_USER_AGENT = 1 + 2 * 16_384;

/** A closed list of values, with its name in the OpenAPI document. */
interface Known {
  name: string;
  values: readonly string[];
}

/** `a,b` means either value, `!a` excludes a value (see `splitValues`). `check` returns the problem with a value, or null. */
function choice(
  description: string,
  check: (value: string) => string | null,
  { known, maxLength = MAX_LENGTH }: { known?: Known; maxLength?: number } = {},
) {
  const listed = known && {
    [LISTED_VALUES]: {
      name: known.name,
      values: known.values.flatMap((value) => [value, `!${value}`]),
      most: MAX_VALUES,
    } satisfies ListedValues,
  };
  const separator = known ? "" : " Write `\\,` for a comma within a value.";
  return z
    .string()
    .max(maxLength)
    .transform((text, context): Choice => {
      const values = splitValues(text);
      const problems = values.flatMap(({ value, written }) => {
        const problem = check(value);
        return problem === null ? [] : [`"${written}" ${problem}`];
      });
      if (values.length > MAX_VALUES) problems.unshift(`takes at most ${MAX_VALUES} values`);
      for (const message of problems) context.addIssue({ code: "custom", message });
      return {
        include: values.flatMap(({ value, isExcluded }) => (isExcluded ? [] : [value])),
        exclude: values.flatMap(({ value, isExcluded }) => (isExcluded ? [value] : [])),
      };
    })
    .optional()
    .meta({
      ...listed,
      description: `${description} Separate several values by commas to match any of them; \`!\` before a value excludes it.${separator}`,
    });
}

const anything = (value: string) => (value === "" ? "is empty" : null);
const matching = (form: RegExp, what: string) => (value: string) => (form.test(value) ? null : `is not ${what}`);

/** A choice among a closed list. */
function choiceOf(description: string, known: Known) {
  const { values } = known;
  return choice(description, (value) => (values.includes(value) ? null : `is none of ${values.join(", ")}`), { known });
}

function network(value: string): string | null {
  try {
    parseNetwork(value);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "is not a network";
  }
}

const uuid = (value: string) => (isUuid(value) ? null : "is not an id");

/** The filters of list, security events, stats and export as query parameters. */
export const filterQuery = {
  since: instant.optional().describe("Events at or after this time."),
  until: instant.optional().describe("Events before this time."),
  id: choice("Event, which is the `X-Request-Id` of its response.", uuid),
  method: choice("HTTP method.", matching(/^[A-Z-]{1,20}$/, "a method in capitals")),
  path: choice("Path, exact or a prefix that ends in `*`.", matching(/^\/[^*]*\*?$/, "a path")),
  route: choice("Route pattern, such as /api/v1/api-keys/{id}.", anything),
  status: choice("Status code, or a class such as 4xx.", matching(/^[1-5](\d\d|xx)$/, "a status such as 403 or 4xx")),
  error_code: choice("Error code.", matching(/^[A-Z_]{1,50}$/, "an error code")),
  auth_type: choiceOf("Authentication of the caller.", {
    name: "AuthTypeFilter",
    values: ["api_key", "session", "anonymous", "system"],
  }),
  api_key_id: choice("API key.", uuid),
  user_id: choice("Person.", uuid),
  ip: choice("Client address or CIDR range.", network),
  country: choice("ISO 3166 alpha-2 code.", matching(/^[A-Z]{2}$/, "a country code")),
  user_agent: choice("The whole user agent.", anything, { maxLength: MAX_USER_AGENT }),
  flag: choiceOf("Flag.", { name: "FlagFilter", values: flags }),
  security_event: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe("`true` for security events only, `false` for all others."),
  resource_type: choice("Kind of resource.", matching(/^[a-z_]{1,50}$/, "a resource type")),
  resource_id: choice("Resource.", anything),
  action: choice(
    "Action, such as api_key.rotate.",
    matching(/^[a-z_]{1,50}\.[a-z_]{1,50}$/, "an action"),
    // A saved filter may name an action of an earlier release.
    { known: { name: "ActionFilter", values: actions } },
  ),
  via: choiceOf(
    "`dashboard` for requests of the dashboard's pages, `dashboard_read` for those of them that only read: successful, without a change and without a security flag.",
    { name: "ViaFilter", values: viaValues },
  ),
  trace_id: choice(
    "Trace that the request belongs to: the second part of its `traceparent`.",
    matching(/^[0-9a-f]{32}$/, "a trace id, 32 hexadecimal digits in lower case"),
  ),
  min_response_time_ms: queryNumber(z.number().min(0).max(86_400_000))
    .optional()
    .describe("Minimum response time in milliseconds."),
  q: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, "must not contain control characters")
    .optional()
    .describe("Text in path, query, user agent or error message, case-insensitive."),
};

export const filters = z.strictObject(filterQuery);
export type Filters = z.output<typeof filters>;

/** Throws 400 if the end of a range is not after its start. */
export function assertRange({ since, until }: Filters): void {
  if (since !== undefined && until !== undefined && since >= until) throw invalid("until", "must be after since");
}

/** Whether the filters select all events of a range. */
export function hasOnlyRange(filters: Filters): boolean {
  return Object.entries(filters).every(([name, value]) => value === undefined || name === "since" || name === "until");
}

/** Whether the filters select so many events of a range that reading it in order is faster than by the index of tokens. */
export function isReadInOrder({ via, ...others }: Filters): boolean {
  return !via?.include.length && hasOnlyRange(others);
}
