import type { JsonExpectation } from "@/lib/uptime/assertions";

type Comparison = JsonExpectation["comparison"];

const signs: Record<Exclude<Comparison, "exists">, string> = {
  equals: "=",
  not_equals: "!=",
  at_least: ">=",
  at_most: "<=",
};

const LINE = /^(.*?)\s*(!=|>=|<=|=)\s*(.*)$/s;
/** Paths with quoted names may contain signs. */
const QUOTED = /^(\$(?:[^'"=!<>]|'[^']*'|"[^"]*")*?)(\s*(?:!=|>=|<=|=).*)?$/s;

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A JSON scalar; anything else is text. */
function scalarOf(text: string): JsonExpectation["value"] {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "string")
      return value;
  } catch {}
  return text;
}

function parseLine(line: string): JsonExpectation {
  const [, path = line, rest = ""] = QUOTED.exec(line) ?? [];
  const [, , sign, value = ""] = LINE.exec(rest) ?? [];
  const comparison = (Object.keys(signs) as (keyof typeof signs)[]).find((each) => signs[each] === sign);
  if (comparison === undefined) return { path: path.trim(), comparison: "exists", value: null };
  return { path: path.trim(), comparison, value: scalarOf(value) };
}

/** Parses lines such as `$.status = "ok"`, `$.queue <= 10` and `$.items`. The API rejects text that is not a path. */
export function parseJsonLines(text: string): JsonExpectation[] {
  return linesOf(text).map(parseLine);
}

/** The line of an expectation. */
export function jsonLine({ path, comparison, value }: JsonExpectation): string {
  return comparison === "exists" ? path : `${path} ${signs[comparison]} ${JSON.stringify(value)}`;
}
