import type { Flag } from "@/lib/audit-logs/flags";

/** What to do about a flag, if anything. */
export const flagAdvice: Partial<Record<Flag, string>> = {
  invalid_credentials: "If the address is yours, a client there has a mistyped or outdated secret.",
  expired_key: "Extend the key’s expiration if the client should continue, or stop the client.",
  revoked_key: "If the address is one of your clients, remove the key there. If not, the secret has leaked.",
  rotated_secret: "If the address is one of your clients, deploy the new secret there. If not, the secret has leaked.",
  ip_not_allowed: "If the client is yours, add its address to the key. If not, the secret has leaked: rotate it.",
  method_not_allowed: "If the client should write, give its key admin permission.",
  out_of_scope: "If the client should do this, give it a key without a scope. If not, find out who uses the key.",
  rate_limited: "Make the client wait for the number of seconds in Retry-After.",
  cross_site_request: "The request was refused. Ask the person which page was open.",
  new_address: "If you do not recognize the address, rotate the key or restrict it to known addresses.",
  new_country: "If you have no client in this country, rotate the key.",
};
