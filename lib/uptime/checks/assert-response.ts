import { isDeepStrictEqual } from "node:util";
import type { JsonExpectation } from "@/lib/uptime/assertions";
import { CheckFailure, type CheckSettings } from "@/lib/uptime/checks/outcome";
import { MATCHED_LENGTH, matches } from "@/lib/uptime/checks/pattern";
import { parseJsonPath, valuesAt } from "@/lib/uptime/json-path";

type Expected = Pick<CheckSettings, "expectedStatus" | "expectedText" | "assertions">;

/** What is known of a response before its body. */
export interface Head {
  status: number;
  headers: NodeJS.Dict<string[]>;
  /** Days until its certificate expires; null without TLS. */
  daysLeft: number | null;
}

function isExpected(status: number, expected: readonly string[]): boolean {
  return expected.includes(String(status)) || expected.includes(`${Math.floor(status / 100)}xx`);
}

/** Throws CheckFailure if status, headers or certificate are not as expected. */
export function requireHead({ status, headers, daysLeft }: Head, { expectedStatus, assertions }: Expected): void {
  if (!isExpected(status, expectedStatus)) throw new CheckFailure("unexpected_status", String(status));
  for (const [name, text] of Object.entries(assertions.expected_headers ?? {})) {
    const value = headers[name.toLowerCase()]?.join(", ");
    if (value === undefined) throw new CheckFailure("header_mismatch", `${name} is missing`);
    if (!value.includes(text)) throw new CheckFailure("header_mismatch", `${name}: ${value}`);
  }
  const least = assertions.min_certificate_days ?? null;
  if (least === null) return;
  if (daysLeft === null) throw new CheckFailure("certificate_expires", "the response was not encrypted");
  if (daysLeft < least) throw new CheckFailure("certificate_expires", `days left: ${daysLeft}`);
}

/** Throws CheckFailure if the body is not as expected. */
export function requireBody(body: Buffer, { expectedText, assertions }: Expected): void {
  const { forbidden_text = null, expected_pattern = null, expected_json = [] } = assertions;
  if (expectedText !== null && !body.includes(expectedText)) throw new CheckFailure("text_missing");
  if (forbidden_text !== null && body.includes(forbidden_text)) throw new CheckFailure("text_present", forbidden_text);
  // A character has at most four bytes.
  if (expected_pattern !== null && !matches(expected_pattern, body.toString("utf8", 0, 4 * MATCHED_LENGTH))) {
    throw new CheckFailure("pattern_missing");
  }
  if (expected_json.length > 0) requireJson(body, expected_json);
}

function requireJson(body: Buffer, expected: readonly JsonExpectation[]): void {
  let document: unknown;
  try {
    document = JSON.parse(body.toString("utf8"));
  } catch {
    throw new CheckFailure("json_mismatch", "the body is not JSON");
  }
  for (const expectation of expected) {
    const values = valuesAt(document, parseJsonPath(expectation.path));
    if (values.length === 0) throw new CheckFailure("json_mismatch", `${expectation.path} is missing`);
    const wrong = values.findIndex((value) => !fits(value, expectation));
    if (wrong !== -1) throw new CheckFailure("json_mismatch", `${expectation.path}: ${JSON.stringify(values[wrong])}`);
  }
}

function fits(value: unknown, { comparison, value: wanted }: JsonExpectation): boolean {
  switch (comparison) {
    case "exists":
      return true;
    case "equals":
      return isDeepStrictEqual(value, wanted);
    case "not_equals":
      return !isDeepStrictEqual(value, wanted);
    case "at_least":
      return typeof value === "number" && typeof wanted === "number" && value >= wanted;
    case "at_most":
      return typeof value === "number" && typeof wanted === "number" && value <= wanted;
  }
}
