import type { ServerResponse } from "node:http";
import { endpoints } from "@/lib/api/endpoints";
import type { Group } from "@/lib/http/groups";
import { count, observe } from "@/lib/metrics/metrics";
import { isAsset, isBadge, isStatusPage, pageOf, type Route } from "@/server/web/dispatch";

/** The rate-limit group of the API, or what else is requested. */
export type RequestGroup = Group | "assets" | "health" | "pages" | "sign_in" | "status_pages";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const groups = new Map<string, Group>(endpoints.map(({ path, group }) => [pageOf(path), group]));

/** The group of a request in the metrics; `route` is null outside of the API. */
export function requestGroup(route: Route | null, target: string): RequestGroup {
  if (route !== null) return groups.get(route.page) ?? "other";
  if (isAsset(target)) return "assets";
  if (isStatusPage(target) || isBadge(target)) return "status_pages";
  if (target.startsWith("/api/auth/")) return "sign_in";
  return /^\/(healthz|readyz)(?:[?#]|$)/.test(target) ? "health" : "pages";
}

/** Counts a response when its headers are sent, or when its connection closes before that. */
export function measureResponse(response: ServerResponse, of: { method: string; group: RequestGroup }): void {
  const { group } = of;
  const method = METHODS.has(of.method) ? of.method : "other";
  const started = performance.now();
  const { writeHead } = response;
  // Node.js also calls it for a response without explicit headers.
  response.writeHead = ((status: number, ...rest: never[]) => {
    response.writeHead = writeHead;
    count("sealwatch_http_requests_total", { group, method, status: `${Math.floor(status / 100)}xx` });
    if (status === 429) count("sealwatch_http_rate_limited_requests_total", { group });
    observe("sealwatch_http_request_duration_seconds", { group }, (performance.now() - started) / 1000);
    return writeHead.call(response, status, ...rest);
  }) as typeof writeHead;
  response.once("close", () => {
    if (!response.headersSent) count("sealwatch_http_requests_total", { group, method, status: "aborted" });
  });
}
