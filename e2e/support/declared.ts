import type { Sent } from "@/e2e/support/http";
import { endpoints } from "@/lib/api/endpoints";
import { possibleErrors } from "@/lib/api/possible-errors";
import { API_PREFIX } from "@/lib/http/endpoint";
import { type ErrorCode, errorStatus } from "@/lib/http/errors";

/** Every operation with what it may answer; those with fewer parameters in their paths first, as routes are found. */
const operations = endpoints
  .map((endpoint) => ({
    method: endpoint.method,
    route: endpoint.path,
    status: endpoint.status,
    action: endpoint.action,
    path: new RegExp(`^${API_PREFIX}${endpoint.path.replace(/\{\w+\}/g, "[A-Za-z0-9-]+").replace(".", "\\.")}$`),
    parameters: endpoint.path.split("{").length,
    codes: new Set<string>(possibleErrors(endpoint)),
    codesWithoutKey: new Set<string>(possibleErrors(endpoint, false)),
  }))
  .sort((one, other) => one.parameters - other.parameters);

/** Throws if an operation answered with a status or error code that the OpenAPI document does not have for it. */
export function expectDeclared({ method, target, headers = {} }: Sent, status: number, text: () => string): void {
  const [path = ""] = target.split("?", 1);
  if (!path.startsWith(API_PREFIX)) return;
  const route = operations.find((each) => each.path.test(path))?.route;
  const operation = operations.find((each) => each.method === method && each.route === route);
  // Of no operation: unknown paths, and methods that a route does not have.
  if (operation === undefined || status === operation.status) return;
  const said = `${method} ${path} (${operation.action}) answered ${status}`;
  if (status < 400) throw new Error(`${said}, and its contract says ${operation.status}`);
  const { code } = (JSON.parse(text()) as { error: { code: ErrorCode } }).error;
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === "idempotency-key");
  const codes = hasKey ? operation.codes : operation.codesWithoutKey;
  if (codes.has(code) && errorStatus[code] === status) return;
  throw new Error(`${said} ${code}, which is not among its errors; name it in \`errors\` of its contract: ${text()}`);
}
