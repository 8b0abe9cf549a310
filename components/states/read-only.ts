/** Why a person with this permission cannot make changes; null if they can. */
export function readOnlyReason(permission: "admin" | "read"): string | null {
  if (permission === "admin") return null;
  return "You have read permission in this organization. Only an admin can make changes.";
}
