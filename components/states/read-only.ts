/** Why someone with this permission may not change anything; null for who may. */
export function readOnlyReason(permission: "admin" | "read"): string | null {
  if (permission === "admin") return null;
  return "You have read permission in this organization, which lets you look but not change. An admin can do this.";
}
