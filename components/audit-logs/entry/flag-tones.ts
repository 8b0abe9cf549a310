import type { Tone } from "@/components/ui/badge";
import type { Flag } from "@/lib/audit-logs/flags";

/** The colour of each flag's badge. Apart from the words, which lists do not load. */
export const flagTones: Record<Flag, Tone> = {
  invalid_credentials: "bad",
  expired_key: "bad",
  revoked_key: "bad",
  rotated_secret: "bad",
  ip_not_allowed: "bad",
  method_not_allowed: "bad",
  out_of_scope: "bad",
  rate_limited: "warn",
  cross_site_request: "bad",
  key_created: "seal",
  key_updated: "seal",
  key_rotated: "seal",
  key_revoked: "seal",
  sign_in: "seal",
  sign_in_refused: "bad",
  sign_out: "seal",
  member_added: "seal",
  member_changed: "seal",
  member_removed: "seal",
  organization_updated: "seal",
  plan_changed: "seal",
  audit_exported: "seal",
  audit_redacted: "seal",
  destination_changed: "seal",
  organization_exported: "seal",
  new_address: "warn",
  new_country: "warn",
  interrupted: "warn",
};
