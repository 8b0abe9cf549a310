import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import compression from "compression";

/** What Next builds of a route: https://nextjs.org/docs/app/api-reference/adapters/invoking-entrypoints */
interface Entrypoint {
  handler(message: IncomingMessage, response: ServerResponse, context: { requestMeta: object }): Promise<void>;
}

/**
 * Calls the route handlers that Next has built, by the name of their page, without Next's own way to them: it looks for
 * files, rewrites and pages first, which took a quarter of a request's time (bench/README.md, api).
 */
export function builtRoutes(build = ".next") {
  const require = createRequire(resolve(build, "server", "-"));
  const entrypoints = new Map<string, Entrypoint>();
  const compress = compression();
  return async (page: string, message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const entrypoint = entrypoints.get(page) ?? (require(`./app${page}.js`) as Entrypoint);
    entrypoints.set(page, entrypoint);
    // As Next does with what it answers itself.
    if (message.headers["accept-encoding"] !== undefined) compress(message as never, response as never, () => {});
    // A new object for each request: Next keeps what it learns of the request in it.
    await entrypoint.handler(message, response, { requestMeta: { relativeProjectDir: ".", hostname: "localhost" } });
  };
}
