import type { IncomingMessage } from "node:http";
import { endpoints } from "@/lib/api/endpoints";
import { API_PREFIX } from "@/lib/http/endpoint";

/** Methods for which Next calls a route's handler, with the body. (To a HEAD handler it gives none, and the log wants all.) */
const NEXT_METHODS = new Set(["GET", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"]);
/** Headers by which Next's own pages steer it; on an API request they could only make it answer something else. */
const NEXT_HEADERS = /^(rsc|next-|x-next|x-middleware-|x-matched-path|x-now-|x-invoke-)/;

/** Where the handlers of a request are, and what stands in the brackets of their path. */
export interface Route {
  /** As Next names a `route.ts`: its path below `app`, without the extension. */
  page: string;
  params: Record<string, string>;
}

const pageOf = (path: string) => `${API_PREFIX}${path.replace(/\{(\w+)\}/g, "[$1]")}/route`;
const CATCH_ALL = { path: "/-", page: `${API_PREFIX}/[[...path]]/route` };

const templates = [...new Set(endpoints.map(({ path }) => path))].sort();
/** Of all handlers there are. */
export const pages = [...templates.map(pageOf), CATCH_ALL.page];
const fixed = new Map(
  templates.filter((path) => !path.includes("{")).map((path) => [API_PREFIX + path, pageOf(path)] as const),
);
/** In the order in which Next prefers them: "{" sorts behind whatever a path has in its place. */
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

/** Whether a target belongs to the API, whatever stands behind the prefix, also where Next would find that out later. */
export function isApi(target: string): boolean {
  const resolved = URL.canParse(target, "http://localhost") ? new URL(target, "http://localhost").pathname : "";
  return [target, resolved].some(
    (path) => path.startsWith(API_PREFIX) && /^([/?#]|$)/.test(path.slice(API_PREFIX.length)),
  );
}

/** Whether a target is a file of the build: nothing that a browser shows as a page. */
export function isAsset(target: string): boolean {
  return target.startsWith("/_next/static/");
}

/**
 * Shapes an API request so that Next's handlers hand it to the pipeline, whatever it is, and returns whose they are. What is
 * no known route goes to the catch-all: Next would answer doubled or trailing slashes and broken escapes by itself. The
 * pipeline reads what was sent from the arrival.
 */
export function shapeForNext(message: IncomingMessage, target: string): Route {
  const route = findRoute(target.split("?", 1)[0] ?? "");
  message.url = route === null ? API_PREFIX + CATCH_ALL.path : target;
  if (!NEXT_METHODS.has(message.method ?? "")) message.method = "OPTIONS";
  for (const name of Object.keys(message.headers)) if (NEXT_HEADERS.test(name)) delete message.headers[name];
  return route ?? { page: CATCH_ALL.page, params: {} };
}
