import { ApiError } from "@/lib/http/errors";

export type Permission = "admin" | "read";

/** The actor of an event: a key, a person, or Sealwatch and its operator. */
export type Actor =
  | { type: "api_key"; id: string; name: string; hint: string }
  | { type: "user"; id: string; name: string; email: string }
  | { type: "system"; name: string };

/** The result of authenticating any credential. Code behind authentication does not depend on the kind of credential. */
export interface Principal {
  organizationId: string;
  permission: Permission;
  actor: Actor;
  /**
   * Whether the credential would still authenticate as this principal; checked during streams and other long responses. `isUse`: counts
   * as use of a session, because its person waits for the response.
   */
  isCurrent: (isUse?: boolean) => Promise<boolean>;
}

/** The principal of operator commands and of jobs, within one organization. */
export function systemPrincipal(organizationId: string, name = "Operator"): Principal {
  return { organizationId, permission: "admin", actor: { type: "system", name }, isCurrent: async () => true };
}

/** The first line of every verb that changes data. Throws 403. */
export function requireAdmin(principal: Principal): void {
  if (principal.permission !== "admin") throw methodNotAllowed();
}

export function methodNotAllowed(): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", "This credential has `read` permission, which allows GET requests only.");
}

/** The 403 for requests outside of the scope of a key. */
export function outOfScope(scope: string): ApiError {
  return new ApiError("OUT_OF_SCOPE", `This API key has the scope \`${scope}\` and may be used for nothing else.`);
}

/** The 403 for actions that API keys cannot perform. */
export function personsOnly(): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", "Only a person signed in to the dashboard can do this; API keys cannot.");
}
