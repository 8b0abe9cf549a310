import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { failSpan, isTracing, requestSpan, setSpanAttributes } from "@/lib/tracing/span";
import { parseTraceParent } from "@/lib/tracing/trace-parent";
import { pageRoutes } from "@/server/web/page-routes";

const MANIFEST = ".next/routes-manifest.json";
const NO_ATTRIBUTES = {};

let routeOf: ((path: string) => string | null) | undefined;

/**
 * Answers a request of a page in a trace, which begins at the caller if the request has a `traceparent`. The span has the route instead
 * of the path, which may have a token. Only calls `work` if there is no caller and nothing is exported.
 */
export function tracePage(
  { method = "", headers }: IncomingMessage,
  response: ServerResponse,
  target: string,
  work: () => Promise<void>,
): Promise<void> {
  const parent = parseTraceParent(headers.traceparent);
  if (!isTracing()) return requestSpan("", NO_ATTRIBUTES, parent, work);
  // In development there is no manifest of all pages.
  routeOf ??= existsSync(MANIFEST) ? pageRoutes(JSON.parse(readFileSync(MANIFEST, "utf8"))) : () => null;
  const route = routeOf(target.split("?", 1)[0] ?? "");
  const attributes = { "http.request.method": method, ...(route !== null && { "http.route": route }) };
  return requestSpan(route === null ? method : `${method} ${route}`, attributes, parent, async () => {
    await work();
    setSpanAttributes({ "http.response.status_code": response.statusCode });
    if (response.statusCode >= 500) failSpan(String(response.statusCode));
  });
}
