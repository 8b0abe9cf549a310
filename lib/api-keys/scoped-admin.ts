import { invalid } from "@/lib/http/errors";

/** Every scope includes writing, so a key with one needs the permission for it. Throws 400. */
export function requireScopedAdmin({ permission, scope }: { permission: string; scope: string | null }): void {
  if (scope !== null && permission !== "admin") throw invalid("scope", "needs the permission admin");
}
