import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { DAY_MS } from "@/lib/time/units";
import { nextTurn } from "@/lib/turns";
import type { JsonExpectation, StoredAssertions } from "@/lib/uptime/assertions";
import { shownValue } from "@/lib/uptime/checks/evidence";
import { CheckFailure, type CheckSettings, type Spend } from "@/lib/uptime/checks/outcome";
import { MAX_VALUES, parseJsonPath, valuesAt } from "@/lib/uptime/matching/json-path";
import { compilePattern, matches } from "@/lib/uptime/matching/pattern";
import { contains } from "@/lib/uptime/matching/text-search";

/** Bytes of a body that is read as JSON. Reading takes up to 40 ms for bodies made to be slow, and nothing else runs meanwhile. */
const MAX_JSON = 256 * 1024;

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
    const values = headers[name.toLowerCase()];
    if (values === undefined) throw new CheckFailure("header_mismatch", `${name} is missing`);
    if (values.join(", ").includes(text)) continue;
    throw new CheckFailure("header_mismatch", `${name}: ${shownValue(name, values)}`);
  }
  requireDaysLeft(daysLeft, assertions);
}

/** Days until the certificate of a connection expires, rounded down; null without TLS. */
export function daysLeft(socket: Socket): number | null {
  if (!(socket instanceof TLSSocket)) return null;
  const until = Date.parse(socket.getPeerCertificate().valid_to);
  return Math.floor((until - Date.now()) / DAY_MS);
}

/** Throws CheckFailure if a certificate has too few days left, or if there is none. */
export function requireDaysLeft(daysLeft: number | null, assertions: StoredAssertions): void {
  const least = assertions.min_certificate_days ?? null;
  if (least === null) return;
  if (daysLeft === null) throw new CheckFailure("certificate_expires", "the response was not encrypted");
  if (daysLeft < least) throw new CheckFailure("certificate_expires", `days left: ${daysLeft}`);
}

/** Rejects with CheckFailure if the body is not as expected. Other work of the process has turns in between. */
export async function requireBody(body: Buffer, { expectedText, assertions }: Expected, spend: Spend): Promise<void> {
  const { forbidden_text = null, expected_pattern = null, expected_json = [] } = assertions;
  if (expectedText !== null && !contains(body, expectedText)) throw new CheckFailure("text_missing");
  if (forbidden_text !== null && contains(body, forbidden_text)) throw new CheckFailure("text_present", forbidden_text);
  await nextTurn();
  if (expected_pattern !== null && !spend(() => matches(compilePattern(expected_pattern), body)))
    throw new CheckFailure("pattern_missing");
  await nextTurn();
  if (expected_json.length > 0) await requireJson(body, expected_json, spend);
}

async function requireJson(body: Buffer, expected: readonly JsonExpectation[], spend: Spend): Promise<void> {
  if (body.length > MAX_JSON) throw new CheckFailure("json_mismatch", "the body has more than 256 KiB");
  let document: unknown;
  try {
    // Without a byte order mark, unlike `toString`.
    document = spend(() => JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw new CheckFailure("json_mismatch", "the body is not JSON");
  }
  const found = new Map<string, unknown[] | null>();
  for (const expectation of expected) {
    await nextTurn();
    const { path } = expectation;
    if (!found.has(path)) found.set(path, valuesAt(document, parseJsonPath(path)));
    requireValues(found.get(path) ?? null, expectation);
  }
}

function requireValues(values: readonly unknown[] | null, expectation: JsonExpectation): void {
  const { path } = expectation;
  if (values === null)
    throw new CheckFailure("json_mismatch", `${path}: too many values, at most ${MAX_VALUES} are read`);
  if (values.length === 0) throw new CheckFailure("json_mismatch", `${path} is missing`);
  const wrong = values.findIndex((value) => !fits(value, expectation));
  if (wrong !== -1) throw new CheckFailure("json_mismatch", `${path}: ${shown(values[wrong])}`);
}

/** A value in a failure's detail. Without what is in it, which may be large; the evidence has the body's beginning. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "[…]";
  return typeof value === "object" && value !== null ? "{…}" : JSON.stringify(value);
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
