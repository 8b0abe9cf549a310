import type { Action } from "@/lib/http/actions";

/** What a key may be used for, if for one purpose only: the actions of each scope. Everything else is 403. */
const scopeActions = {
  obtained_certificates: ["certificate.hand_in"],
  agent: ["certificate_agent.get", "certificate_agent.enroll", "certificate_agent.targets", "certificate_agent.report"],
} as const satisfies Record<string, readonly Action[]>;

export type Scope = keyof typeof scopeActions;
export const scopes = Object.keys(scopeActions) as [Scope, ...Scope[]];

/** What people call the scopes. */
export const scopeLabels: Readonly<Record<Scope, string>> = {
  obtained_certificates: "Hand in certificates",
  agent: "Check endpoints as an agent",
};

/** The scope that a row has; null for none, or for one of a newer release, which then permits nothing. */
export function isWithinScope(scope: string | null, action: Action | null): boolean {
  if (scope === null) return true;
  const actions: readonly Action[] = scopes.find((each) => each === scope) ? scopeActions[scope as Scope] : [];
  return action !== null && actions.includes(action);
}
