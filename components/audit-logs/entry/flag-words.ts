import type { Tone } from "@/components/ui/badge";
import type { Flag } from "@/lib/audit-logs/flags";

interface Words {
  tone: Tone;
  /** A sentence for someone who sees the flag for the first time. */
  says: string;
  /** What to do about it, where there is something to do. */
  advice?: string;
}

/** What each flag means, in words. */
export const flagWords: Record<Flag, Words> = {
  invalid_credentials: {
    tone: "bad",
    says: "The request carried something that is no API key of ours.",
    advice: "If the address is one of yours, a client there has a mistyped or outdated secret.",
  },
  expired_key: {
    tone: "bad",
    says: "The request used a key past its expiration.",
    advice: "Give the key a new expiration if the client should go on, or stop the client.",
  },
  revoked_key: {
    tone: "bad",
    says: "The request used a key that had been revoked.",
    advice: "Someone still holds its secret: find the client at this address and remove it there.",
  },
  rotated_secret: {
    tone: "bad",
    says: "The request used a secret that had been rotated out.",
    advice: "Put the new secret in place at this address.",
  },
  ip_not_allowed: {
    tone: "bad",
    says: "The request came from an address that the key’s whitelist does not allow.",
    advice: "If the client is yours, add its address to the key. If not, the secret has leaked: rotate it.",
  },
  method_not_allowed: {
    tone: "bad",
    says: "A credential with read permission tried to change something.",
    advice: "If the client should change things, give its key admin permission.",
  },
  rate_limited: {
    tone: "warn",
    says: "The caller had used up its requests of the minute.",
    advice: "Make the client wait for the seconds in Retry-After.",
  },
  cross_site_request: {
    tone: "bad",
    says: "A page that is not ours tried to change something with a signed-in person’s session.",
    advice: "The request was refused. Ask the person which page they had open.",
  },
  key_created: { tone: "seal", says: "An API key was created." },
  key_updated: { tone: "seal", says: "An API key’s name, permission, whitelist or expiration was changed." },
  key_rotated: { tone: "seal", says: "An API key’s secret was replaced; the old one stopped working at once." },
  key_revoked: { tone: "seal", says: "An API key was revoked for good." },
  sign_in: { tone: "seal", says: "Someone signed in." },
  sign_in_refused: { tone: "bad", says: "A sign-in was refused." },
  sign_out: { tone: "seal", says: "Someone signed out." },
  member_added: { tone: "seal", says: "A member was added to the organization." },
  member_changed: { tone: "seal", says: "A member’s permission was changed." },
  member_removed: { tone: "seal", says: "A member was removed; their access ended at once." },
  organization_updated: { tone: "seal", says: "The organization’s settings were changed." },
  plan_changed: { tone: "seal", says: "The organization’s plan was changed." },
  audit_exported: { tone: "seal", says: "Entries of the audit log were exported." },
  organization_exported: { tone: "seal", says: "All that the organization keeps was exported." },
  new_address: {
    tone: "warn",
    says: "The key was used from an address that it had not been used from before.",
    advice: "If you do not know the address, rotate the key, or restrict it to the addresses you know.",
  },
  new_country: {
    tone: "warn",
    says: "The key was used from a country that it had not been used from before.",
    advice: "If nobody of yours is there, rotate the key.",
  },
  interrupted: {
    tone: "warn",
    says: "Sealwatch was stopped while it answered this request: what it changed is in place, what it answered is not known.",
  },
};
