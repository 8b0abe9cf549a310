import * as z from "zod";
import { whole } from "@/lib/http/schemas/whole-number";
import { parseJsonPath } from "@/lib/uptime/matching/json-path";
import { serverChecks } from "@/lib/uptime/server-checks";

/** A header's name (RFC 9110). */
export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not a valid header name (RFC 9110)");

/** Text to look for in a response. */
export const wantedText = z.string().min(1, "must not be empty").max(500, "must have at most 500 characters");

/** A regular expression that checks match. */
export const expectedPattern = wantedText.superRefine((text, context) => {
  const fault = serverChecks().pattern(text);
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
});

const jsonComparisons = ["exists", "equals", "not_equals", "at_least", "at_most"] as const;

const jsonPath = z
  .string()
  .max(200, "must have at most 200 characters")
  .superRefine((path, context) => {
    try {
      parseJsonPath(path);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  })
  .describe("A JSONPath (RFC 9535) of names, indices and wildcards: `$.items[0].state`, `$['a b'][*]`.");

const jsonExpectation = z
  .strictObject({
    path: jsonPath,
    comparison: z.enum(jsonComparisons).default("exists"),
    value: z
      .union([z.string().max(500, "must have at most 500 characters"), z.number(), z.boolean(), z.null()])
      .default(null)
      .describe("What to compare with: for `at_least` and `at_most` a number, for `exists` nothing."),
  })
  .refine(({ comparison, value }) => !comparison.startsWith("at_") || typeof value === "number", {
    path: ["value"],
    message: "must be a number for this comparison",
  });
export type JsonExpectation = z.output<typeof jsonExpectation>;

/** What http monitors expect besides a status and a text. */
export const assertionFields = {
  forbidden_text: wantedText.nullable().describe("http only. Text that the first MiB of the body must not contain."),
  expected_pattern: expectedPattern
    .nullable()
    .describe(
      "http only. A regular expression in RE2 syntax, which has no look-around and no back-references, that must match in the first 16 KiB of the body.",
    ),
  expected_json: z
    .array(jsonExpectation)
    .max(10, "must have at most 10 entries")
    .describe(
      "http only. Values in the body, which must be JSON of at most 256 KiB. If a path has wildcards, every value that it leads to must fit, and there must be at least one and at most 1,000, at each step too.",
    ),
  expected_headers: z
    .record(headerName, z.string().max(500, "must have at most 500 characters"))
    .refine((all) => Object.keys(all).length <= 10, "must have at most 10 headers")
    .describe("http only. Headers of the response, each with text that it must contain; empty if it must only exist."),
  max_response_time_ms: whole(1, 30_000)
    .nullable()
    .describe("A check that takes longer fails, in milliseconds, from the DNS lookup to the end of the check."),
  min_certificate_days: whole(1, 400)
    .nullable()
    .describe(
      "https, and tcp with `tls`. The certificate must be valid for at least this many more days, also if it is not verified.",
    ),
};

type Assertions = { [Field in keyof typeof assertionFields]: z.output<(typeof assertionFields)[Field]> };

/** Assertions as stored: those of older monitors lack fields. */
export type StoredAssertions = Partial<Assertions>;

/** All assertions of a monitor, in a fixed order. */
export function assertionsOf(from: StoredAssertions): Assertions {
  return {
    forbidden_text: from.forbidden_text ?? null,
    expected_pattern: from.expected_pattern ?? null,
    expected_json: from.expected_json ?? [],
    expected_headers: from.expected_headers ?? {},
    max_response_time_ms: from.max_response_time_ms ?? null,
    min_certificate_days: from.min_certificate_days ?? null,
  };
}
