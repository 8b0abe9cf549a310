import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Endpoint } from "@/lib/api/endpoint";
import { ApiError, type Issue, notFound } from "@/lib/api/errors";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Everything a verb is told, in one object. Throws 400 naming each field, 404 for an id that is none, 415. */
export function parseInput(
  endpoint: Endpoint,
  params: Record<string, string>,
  query: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): unknown {
  for (const value of Object.values(params)) if (!UUID.test(value)) throw notFound();
  const issues: Issue[] = [];
  const given = queryObject(query, issues);
  const sent = bodyObject(endpoint, headers, body);
  const parsedQuery = endpoint.query.safeParse(given);
  if (!parsedQuery.success) issues.push(...issuesOf(parsedQuery.error));
  const parsedBody = endpoint.body.safeParse(sent);
  if (!parsedBody.success) issues.push(...issuesOf(parsedBody.error));
  const named = new Set(issues.map(({ path }) => path));
  issues.push(...[...unstorableIn(given), ...unstorableIn(sent)].filter(({ path }) => !named.has(path)));
  if (issues.length > 0) throw badRequest(issues);
  return { ...(parsedBody.data as object), ...(parsedQuery.data as object), ...params };
}

function queryObject(query: string, issues: Issue[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) issues.push({ path: name, message: "is given more than once" });
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

function bodyObject(endpoint: Endpoint, headers: IncomingHttpHeaders, body: Buffer): unknown {
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
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    // The parser quotes the body, which belongs in no list of events and in no log.
    const told = String((error as Error).message).replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, "");
    const message = error instanceof SyntaxError ? `must be JSON: ${told}` : "must be JSON in UTF-8";
    throw badRequest([{ path: "body", message }]);
  }
}

/** What no text of ours may hold, because the database takes neither: U+0000 and half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** An issue for each text within `value` that could not be stored. Not recursive: JSON may be nested a million deep. */
function unstorableIn(value: unknown): Issue[] {
  const issues: Issue[] = [];
  const rest: [path: string, value: unknown][] = [["", value]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, each] = next;
    if (typeof each === "string" && UNSTORABLE.test(each)) {
      issues.push({ path: path || "body", message: "must not contain U+0000 or half of a surrogate pair" });
    } else if (typeof each === "object" && each !== null) {
      for (const [key, inner] of Object.entries(each)) rest.push([path === "" ? key : `${path}.${key}`, inner]);
    }
  }
  return issues;
}

/** One line per field that does not fit. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join(".");
    const within = (key: string) => (path === "" ? key : `${path}.${key}`);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: within(key), message: "is not a known field" }));
    }
    const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    return [{ path: path === "" ? "body" : path, message: missing ? "is required" : issue.message }];
  });
}

function badRequest(issues: Issue[]): ApiError {
  // Names and values are the caller's and may be a megabyte long; the message is kept with the event.
  const named = issues.slice(0, 3).map(({ path, message }) => `${path.slice(0, 100)}: ${message.slice(0, 300)}`);
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : "";
  return new ApiError("INVALID_REQUEST", `${named.join("; ")}${more}.`, { issues });
}
