import type { IncomingHttpHeaders } from "node:http";
import { toUSVString } from "node:util";
import type { z } from "zod";
import type { Endpoint } from "@/lib/http/endpoint";
import { ApiError, type Issue, notFound } from "@/lib/http/errors";
import { parseJson } from "@/lib/http/parse-json";
import { wordsOf } from "@/lib/text/issue-words";
import { isUuid } from "@/lib/text/shapes/uuid";
import { visible } from "@/lib/text/visible";

const MAX_PARAMETERS = 100;
/** Maximum issues in an error response, and maximum characters of their paths and messages. */
const MAX_ISSUES = 100;
/** Maximum issues of one item in a bulk request. */
export const MAX_ISSUES_OF_ITEM = 10;
const MAX_PATH_LENGTH = 200;
const MAX_REASON_LENGTH = 300;

/**
 * Parses the whole input of a verb into one object. `tooMuch`: why the body must not be parsed. Throws 400 with an issue per
 * field, 404 for an invalid id, 415.
 */
export async function parseInput(
  endpoint: Endpoint,
  params: Record<string, string>,
  query: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  tooMuch: Issue | null = null,
): Promise<unknown> {
  for (const value of Object.values(params)) if (!isUuid(value)) throw notFound();
  const issues: Issue[] = [];
  const given = queryObject(query, issues);
  const sent = await bodyObject(endpoint, headers, body, tooMuch);
  const parsedQuery = endpoint.query.safeParse(given);
  if (!parsedQuery.success) addIssues(issues, issuesOf(parsedQuery.error));
  const parsedBody = endpoint.body.safeParse(sent);
  if (!parsedBody.success) addIssues(issues, issuesOf(parsedBody.error));
  const named = new Set(issues.map(({ path }) => path));
  for (const value of [given, sent]) {
    if (!isStorable(value))
      addIssues(
        issues,
        unstorableIn(value).filter(({ path }) => !named.has(path)),
      );
  }
  if (issues.length > 0) throw badRequest(issues);
  return { ...(parsedBody.data as object), ...(parsedQuery.data as object), ...params };
}

/** Not `push(...more)`, which would overflow the stack with many issues. */
function addIssues(issues: Issue[], more: readonly Issue[]): void {
  for (const issue of more) issues.push(issue);
}

function queryObject(query: string, issues: Issue[]): Record<string, string> {
  if (query.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS) {
    throw badRequest([{ path: "query", message: `must have at most ${MAX_PARAMETERS} parameters` }]);
  }
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) issues.push({ path: name, message: "is given more than once" });
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

async function bodyObject(
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  body: Buffer,
  tooMuch: Issue | null,
): Promise<unknown> {
  if (endpoint.method === "GET") {
    if (Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined) {
      throw badRequest([{ path: "body", message: "must be absent: a GET request has no body" }]);
    }
    return {};
  }
  if (body.length === 0) return {};
  if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? "")) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON, with `Content-Type: application/json`.");
  }
  if (tooMuch !== null) throw badRequest([tooMuch]);
  try {
    return await parseJson(body);
  } catch (error) {
    // The parser's message quotes the body, which must not appear in the list of events or in logs.
    const reason = String((error as Error).message).replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, "");
    const message = error instanceof SyntaxError ? `must be JSON: ${reason}` : "must be JSON in UTF-8";
    throw badRequest([{ path: "body", message }]);
  }
}

/** Whether the database can store the text: without U+0000 and without lone surrogates. */
function isStorableText(text: string): boolean {
  return toUSVString(text) === text && !text.includes("\0");
}

/** Whether all text within `value` can be stored. Separate from `unstorableIn`, which is ten times as expensive. */
function isStorable(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const each = rest.pop();
    if (typeof each === "string" && !isStorableText(each)) return false;
    if (typeof each === "object" && each !== null) for (const inner of Object.values(each)) rest.push(inner);
  }
  return true;
}

/** An issue for each text within `value` that cannot be stored. */
function unstorableIn(value: unknown): Issue[] {
  const issues: Issue[] = [];
  const rest: [path: string, value: unknown][] = [["", value]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, each] = next;
    if (typeof each === "string" && !isStorableText(each)) {
      issues.push({ path: path || "body", message: "must not contain U+0000 or half of a surrogate pair" });
    } else if (typeof each === "object" && each !== null) {
      for (const [key, inner] of Object.entries(each)) rest.push([path === "" ? key : `${path}.${key}`, inner]);
    }
  }
  return issues;
}

/** One issue per invalid field. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join(".");
    const within = (key: string) => (path === "" ? key : `${path}.${key}`);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: within(key), message: "is not a known field" }));
    }
    const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    return [{ path: path === "" ? "body" : path, message: missing ? "is required" : wordsOf(issue) }];
  });
}

/** The first issues in one sentence, with the number of further issues. */
export function describeIssues(issues: readonly Issue[], most = 3): string {
  const named = issues.slice(0, most).map(({ path, message }) => {
    return `${path.slice(0, MAX_PATH_LENGTH)}: ${message.slice(0, MAX_REASON_LENGTH)}`;
  });
  return named.join("; ") + (issues.length > most ? ` (and ${issues.length - most} more)` : "");
}

function badRequest(issues: readonly Issue[]): ApiError {
  // Names and values come from the caller and may be a megabyte long; the message is stored with the event.
  const shortened = issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: path.slice(0, MAX_PATH_LENGTH),
    message: message.slice(0, MAX_REASON_LENGTH),
  }));
  return new ApiError("INVALID_REQUEST", visible(`${describeIssues(issues)}.`), { issues: shortened });
}
