import { ApiError } from "@/lib/http/errors";

export type Permission = "admin" | "read";

/** Who acts: a key, a person, or Sealwatch and its operator. */
export type Actor =
  | { type: "api_key"; id: string; name: string; hint: string }
  | { type: "user"; id: string; name: string; email: string }
  | { type: "system"; name: string };

/** What every credential becomes. Below authentication nothing asks which kind it was. */
export interface Principal {
  organizationId: string;
  permission: Permission;
  actor: Actor;
  /** Whether the credential would still be let in as this principal: for answers that last. */
  isCurrent: () => Promise<boolean>;
}

/** The principal of the operator's commands and of jobs, within one organization. */
export function systemPrincipal(organizationId: string, name = "Operator"): Principal {
  return { organizationId, permission: "admin", actor: { type: "system", name }, isCurrent: async () => true };
}

/** The first line of every verb that changes something. Throws 403. */
export function requireAdmin(principal: Principal): void {
  if (principal.permission !== "admin") throw methodNotAllowed();
}

export function methodNotAllowed(): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", "This credential has `read` permission, which allows GET requests only.");
}

/** What is the business of a person and of no key. */
export function personsOnly(): ApiError {
  return new ApiError("METHOD_NOT_ALLOWED", "Only a person may do this, signed in to the dashboard; no API key can.");
}
