import type { IncomingMessage } from "node:http";
import { API_PREFIX } from "@/lib/api/endpoint";
import { endpoints } from "@/lib/api/endpoints";

/** Methods for which Next calls a route's handler, with the body. (To a HEAD handler it gives none, and the log wants all.) */
const NEXT_METHODS = new Set(["GET", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"]);
/** Headers by which Next's own pages steer it; on an API request they could only make it answer something else. */
const NEXT_HEADERS = /^(rsc|next-|x-next|x-middleware-|x-matched-path|x-now-|x-invoke-)/;

const known = new RegExp(
  `^${API_PREFIX}(?:${[...new Set(endpoints.map(({ path }) => path))]
    .map((path) => path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[A-Za-z0-9-]+"))
    .join("|")})$`,
);

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
 * Shapes an API request so that Next hands it to the pipeline, whatever it is. What is no known route goes to the catch-all:
 * Next would answer doubled or trailing slashes and broken escapes by itself. The pipeline reads what was sent from the arrival.
 */
export function shapeForNext(message: IncomingMessage, target: string): void {
  const path = target.split("?", 1)[0] ?? "";
  message.url = known.test(path) ? target : `${API_PREFIX}/-`;
  if (!NEXT_METHODS.has(message.method ?? "")) message.method = "OPTIONS";
  for (const name of Object.keys(message.headers)) if (NEXT_HEADERS.test(name)) delete message.headers[name];
}
