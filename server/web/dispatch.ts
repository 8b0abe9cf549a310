import type { IncomingMessage } from "node:http";
import { endpoints } from "@/lib/api/endpoints";
import { API_PREFIX } from "@/lib/http/endpoint";
import { isToken } from "@/lib/tokens";

/** Methods for which Next calls a route's handler with the body. HEAD is missing: its handler gets no body, and the log stores bodies. */
const NEXT_METHODS = new Set(["GET", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"]);
/** Headers with which Next's pages control it; on an API request they could only change the response. */
const NEXT_HEADERS = /^(rsc|next-|x-next|x-middleware-|x-matched-path|x-now-|x-invoke-)/;

const HEARTBEAT = "/heartbeat/";

/** The handlers of a request, and the values of the parameters in their path. */
export interface Route {
  /** Next's name of a `route.ts`: its path below `app`, without the extension. */
  page: string;
  params: Record<string, string>;
}

/** The page of a path in the contract. */
export const pageOf = (path: string) => `${API_PREFIX}${path.replace(/\{(\w+)\}/g, "[$1]")}/route`;
const CATCH_ALL = { path: "/-", page: `${API_PREFIX}/[[...path]]/route` };

const templates = [...new Set(endpoints.map(({ path }) => path))].sort();
/** The pages of all handlers. */
export const pages = [...templates.map(pageOf), CATCH_ALL.page];
const fixed = new Map(
  templates.filter((path) => !path.includes("{")).map((path) => [API_PREFIX + path, pageOf(path)] as const),
);
/** In the order in which Next prefers them: "{" sorts after any literal path segment. */
const variable = templates
  .filter((path) => path.includes("{"))
  .map(
    (path) =>
      [
        new RegExp(`^${API_PREFIX}${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[A-Za-z0-9-]+)")}$`),
        pageOf(path),
      ] as const,
  );

function findRoute(path: string): Route | null {
  const page = fixed.get(path);
  if (page !== undefined) return { page, params: {} };
  for (const [template, page] of variable) {
    const found = template.exec(path);
    if (found) return { page, params: { ...found.groups } };
  }
  return null;
}

/** The path and query of a request target; proxies may send the absolute form (RFC 9112, 3.2.2). */
export function targetOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
}

/** Whether a target belongs to the API, with any path after the prefix, including forms that Next would normalize later. */
export function isApi(target: string): boolean {
  const resolved = URL.canParse(target, "http://localhost") ? new URL(target, "http://localhost").pathname : "";
  return [target, resolved].some(
    (path) => path.startsWith(API_PREFIX) && /^([/?#]|$)/.test(path.slice(API_PREFIX.length)),
  );
}

/** Whether the percent-encoding of a target's path is valid UTF-8 (RFC 3986, 2.1). Next answers other paths of pages with 500. */
export function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** Whether a target is for programs: a heartbeat, whose body nobody reads, or the witness. Both have limits of their own. */
export function limitsItself(target: string): boolean {
  const [path = ""] = target.split(/[?#]/, 1);
  return path === "/witness/add-checkpoint" || (path.startsWith(HEARTBEAT) && isToken(path.slice(HEARTBEAT.length)));
}

/** Whether a target is a file of the build rather than a page. */
export function isAsset(target: string): boolean {
  return target.startsWith("/_next/static/");
}

/** Whether a target is a public status page or its preview: documents without scripts, with a policy of their own. */
export function isStatusPage(target: string): boolean {
  return /^\/(status\/[^/?#]+|status-pages\/[^/?#]+\/preview)\/?(?:[?#]|$)/.test(target);
}

/** Whether a target is the badge of a public status page: an image for the pages of other sites. */
export function isBadge(target: string): boolean {
  return /^\/status\/[^/?#]+\/(?:[^/?#]+\/)?badge\.svg(?:[?#]|$)/.test(target);
}

/**
 * Changes an API request so that Next's handlers pass it to the pipeline in every case, and returns its route. Unknown paths
 * go to the catch-all, because Next would answer double or trailing slashes and broken escapes itself. The pipeline reads the
 * original method and target from the arrival.
 */
export function shapeForNext(message: IncomingMessage, target: string): Route {
  const route = findRoute(target.split("?", 1)[0] ?? "");
  message.url = route === null ? API_PREFIX + CATCH_ALL.path : target;
  if (!NEXT_METHODS.has(message.method ?? "")) message.method = "OPTIONS";
  for (const name of Object.keys(message.headers)) if (NEXT_HEADERS.test(name)) delete message.headers[name];
  return route ?? { page: CATCH_ALL.page, params: {} };
}
