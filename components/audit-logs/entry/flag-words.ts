import type { Tone } from "@/components/ui/badge";
import type { Flag } from "@/lib/audit-logs/flags";

interface Words {
  tone: Tone;
  /** What the flag means, in one sentence. */
  says: string;
}

/** The meaning of each flag. */
export const flagWords: Record<Flag, Words> = {
  invalid_credentials: {
    tone: "bad",
    says: "The request’s credential is not an API key of this installation.",
  },
  expired_key: {
    tone: "bad",
    says: "The request used an expired key.",
  },
  revoked_key: {
    tone: "bad",
    says: "The request used a revoked key.",
  },
  rotated_secret: {
    tone: "bad",
    says: "The request used an old secret that a rotation has replaced.",
  },
  ip_not_allowed: {
    tone: "bad",
    says: "The request came from an address that the key’s whitelist does not allow.",
  },
  method_not_allowed: {
    tone: "bad",
    says: "A credential with read permission tried to change something.",
  },
  rate_limited: {
    tone: "warn",
    says: "The caller exceeded its rate limit.",
  },
  cross_site_request: {
    tone: "bad",
    says: "A page of another site tried to change something with a signed-in person’s session.",
  },
  key_created: { tone: "seal", says: "An API key was created." },
  key_updated: { tone: "seal", says: "An API key’s name, permission, whitelist or expiration was changed." },
  key_rotated: { tone: "seal", says: "An API key’s secret was replaced; the old one stopped working immediately." },
  key_revoked: { tone: "seal", says: "An API key was permanently revoked." },
  sign_in: { tone: "seal", says: "A person signed in." },
  sign_in_refused: { tone: "bad", says: "A sign-in was refused." },
  sign_out: { tone: "seal", says: "A person signed out." },
  member_added: { tone: "seal", says: "A member was added to the organization." },
  member_changed: { tone: "seal", says: "A member’s permission was changed." },
  member_removed: { tone: "seal", says: "A member was removed; their access ended immediately." },
  organization_updated: { tone: "seal", says: "The organization’s settings were changed." },
  plan_changed: { tone: "seal", says: "The organization’s plan was changed." },
  audit_exported: { tone: "seal", says: "Events of the audit log were exported." },
  organization_exported: { tone: "seal", says: "All data of the organization was exported." },
  new_address: {
    tone: "warn",
    says: "The key was used from this address for the first time.",
  },
  new_country: {
    tone: "warn",
    says: "The key was used from this country for the first time.",
  },
  interrupted: {
    tone: "warn",
    says: "Sealwatch stopped while it answered this request. Its changes were saved, but its response is unknown.",
  },
};
