import type { ApiKey } from "@/lib/api-keys/contract";
import type { Risk } from "@/lib/api-keys/risks";

export const keyStatusLabels: Readonly<Record<ApiKey["status"], string>> = {
  active: "Active",
  expired: "Expired",
  revoked: "Revoked",
};

/** What people call each risk, wherever it is shown. */
export const riskLabels: Readonly<Record<Risk, string>> = {
  rotated_secret_used: "Old secret in use",
  expires_soon: "Expires soon",
  rotation_overdue: "Rotation overdue",
  no_whitelist: "No IP whitelist",
  no_expiration: "No expiration",
  idle: "Idle",
  never_used: "Never used",
};
