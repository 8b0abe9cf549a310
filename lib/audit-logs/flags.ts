const refused = [
  "invalid_credentials",
  "expired_key",
  "revoked_key",
  "rotated_secret",
  "ip_not_allowed",
  "method_not_allowed",
  "out_of_scope",
  "rate_limited",
  "cross_site_request",
] as const;

/** The flags that an event can have. */
export const flags = [
  ...refused,
  "key_created",
  "key_updated",
  "key_rotated",
  "key_revoked",
  "sign_in",
  "sign_in_refused",
  "sign_out",
  "member_added",
  "member_changed",
  "member_removed",
  "organization_updated",
  "plan_changed",
  "audit_exported",
  "audit_redacted",
  "destination_changed",
  "audit_hold_placed",
  "audit_hold_released",
  "organization_exported",
  "new_address",
  "new_country",
  "interrupted",
] as const;

export type Flag = (typeof flags)[number];

/** Flags of refusals. Refusals repeat until somebody fixes the cause, so their frequency matters. */
export const refusals: readonly Flag[] = refused;

/** Flags that need attention; the others are recorded for reference. */
const alarming: readonly Flag[] = [
  ...refused,
  "sign_in_refused",
  "audit_hold_released",
  "new_address",
  "new_country",
  "interrupted",
];

/** Whether the flag needs attention, rather than being recorded for reference. */
export function isAlarming(flag: Flag): boolean {
  return alarming.includes(flag);
}

/** Flags that make a security event. */
export const securityFlags = flags.filter((flag) => flag !== "interrupted");

/** Whether the flags make a security event: all flags do, except `interrupted`. */
export function isSecurityEvent(raised: readonly Flag[]): boolean {
  return raised.some((flag) => flag !== "interrupted");
}
