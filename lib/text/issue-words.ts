import type { z } from "zod";

const types: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

const formats: Record<string, string> = {
  uuid: "an id (UUID)",
  url: "a URL",
  email: "an e-mail address",
  datetime: "a time in ISO 8601, such as 2026-11-21T14:31:58Z",
  date: "a date such as 2026-11-21",
  base64: "base64",
};

const units: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  record: ["entry", "entries"],
};

function bound(origin: string, comparison: string, limit: number | bigint): string {
  const unit = units[origin];
  if (unit === undefined) return `must be ${comparison} ${limit}`;
  const [one, many] = unit;
  return `must have ${comparison} ${limit} ${Number(limit) === 1 ? one : many}`;
}

/** What is wrong with a field, to follow its name: the schema's own words, or ours in place of the library's. */
export function wordsOf(issue: z.core.$ZodIssue): string {
  // The library's messages begin with a capital letter, those of our schemas do not.
  if (!/^[A-Z]/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${types[issue.expected] ?? `of the type ${issue.expected}`}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return `must be ${formats[issue.format] ?? `in the format ${issue.format}`}`;
    case "too_small":
      return bound(issue.origin, "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, "at most", issue.maximum);
    case "invalid_key":
      return `has a key that ${issue.issues[0] ? wordsOf(issue.issues[0]) : "is not permitted"}`;
    case "invalid_union":
      return "has none of the permitted forms";
    default:
      return issue.message;
  }
}
