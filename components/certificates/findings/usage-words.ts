import type { ReactNode } from "react";
import { type Evidence, few, object, objects, text, texts, who } from "@/components/certificates/findings/evidence";
import { plural } from "@/lib/text/counts";

export interface Words {
  /** What the check found. */
  says: ReactNode;
  /** What it means for clients, or what to do. */
  advice: string;
}

/** `client_auth` in words. */
const spaced = (name: string) => name.replaceAll("_", " ");

const defect = (evidence: Evidence) => `${spaced(text(evidence, "problem"))} ${text(evidence, "extension")}`.trim();

/** Findings about what certificates may be used for, in words, with their evidence. */
export const usageWords = {
  not_for_servers: (evidence: Evidence): Words => ({
    says: `${who(evidence)} may be used for ${few(texts(evidence, "extended_key_usages").map(spaced))}, but not for servers (server_auth).`,
    advice:
      text(evidence, "role") === "issuer"
        ? "Clients reject every server certificate below it. Get a certificate from another intermediate."
        : "Clients reject it. Request a certificate for servers; if this one is for clients, install another one here.",
  }),
  wrong_key_usage: (evidence: Evidence): Words => ({
    says: `The key of ${who(evidence)} is permitted for ${few(texts(evidence, "key_usages").map(spaced)) || "nothing"}; required: ${texts(evidence, "required").map(spaced).join(" or ")}.`,
    advice:
      text(evidence, "role") === "issuer"
        ? "It must not issue certificates, so clients reject this one. Get a certificate from another intermediate."
        : "Browsers or other clients reject it. Request a certificate with this key usage.",
  }),
  ca_as_leaf: (evidence: Evidence): Words => ({
    says: `${who(evidence)} is the certificate of a certificate authority, which could issue certificates itself.`,
    advice:
      "Firefox rejects it, and its key on a server endangers all that it could issue. Request a server certificate.",
  }),
  issuer_not_ca: (evidence: Evidence): Words => ({
    says: `${who(evidence)} issued a certificate in this chain, but is not a certificate authority.`,
    advice:
      "Clients reject the chain. Create a CA certificate (basic constraints: CA) and issue the certificate with it.",
  }),
  name_not_permitted: (evidence: Evidence): Words => ({
    says:
      text(evidence, "reason") === "too_many"
        ? `${who(evidence)} has too many or too long names to compare with the limits of ${who(object(evidence, "constrained_by"))}.`
        : `${who(object(evidence, "constrained_by"))} does not permit these names of ${who(evidence)}: ${few(texts(evidence, "names"))}.`,
    advice: "Clients reject the chain. Remove the names, or get a certificate from an authority that may issue them.",
  }),
  path_too_long: (evidence: Evidence): Words => ({
    says: `${who(evidence)} permits ${plural(Number(text(evidence, "path_length")), "intermediate")} below it, but the chain has ${text(evidence, "intermediates")}.`,
    advice: "Clients reject the chain. Get a certificate from a higher intermediate, or one without this limit.",
  }),
  unknown_critical_extension: (evidence: Evidence): Words => ({
    says: `${who(evidence)} has critical extensions that clients do not know: ${few(texts(evidence, "extensions"))}.`,
    advice: "Clients must reject it. Have it reissued without them, or with them marked as not critical.",
  }),
  invalid_certificate: (evidence: Evidence): Words => ({
    says: `${who(evidence)} violates the format of certificates: ${few(objects(evidence, "problems").map(defect))}.`,
    advice: "Clients that check it reject the certificate. Have it reissued, and inform the certificate authority.",
  }),
  path_refused: (evidence: Evidence): Words => ({
    says: `OpenSSL refuses the chain of ${who(evidence)}: ${text(evidence, "reason")}.`,
    advice: "curl and most programs reject it. Have it reissued without this defect.",
  }),
};
