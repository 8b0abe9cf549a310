import type { ReactNode } from "react";
import { caaWords } from "@/components/certificates/findings/caa-words";
import { type Evidence, few, object, objects, text, texts, who } from "@/components/certificates/findings/evidence";
import { reason, refusals, staples, unknowns } from "@/components/certificates/findings/reasons";
import { scanWords } from "@/components/certificates/findings/scan-words";
import { usageWords, type Words } from "@/components/certificates/findings/usage-words";
import { shortName } from "@/components/certificates/inventory/names";
import { Time } from "@/components/time/time";
import { dayName } from "@/components/time/time-format";
import type { FindingCode } from "@/lib/certificates/findings";
import type { RenewalMethod } from "@/lib/certificates/renewal-fields";
import { counted, plural } from "@/lib/text/counts";

function at(evidence: Evidence, name: string): ReactNode {
  const value = text(evidence, name);
  return value === "" ? "an unknown time" : <Time value={value} />;
}

/** A day in UTC, within text. */
function day(evidence: Evidence, name: string): string {
  const value = text(evidence, name);
  return value === "" ? "an unknown day" : dayName(value);
}

/** What to do about a renewal that is late: `otherwise`, unless the certificate is renewed by hand. */
function lateRenewal(renewal: RenewalMethod | null, otherwise: string): string {
  return renewal === "manual" ? "Renew it by hand now." : otherwise;
}

/** Each finding in words, with its evidence and how the endpoint's certificate is renewed, if that is stated. */
export const findingWords: Record<FindingCode, (evidence: Evidence, renewal: RenewalMethod | null) => Words> = {
  unreachable: (evidence) => ({
    says: `No connection${text(evidence, "address") ? ` to ${text(evidence, "address")}` : ""}. ${reason(evidence)}`,
    advice:
      text(evidence, "reason") === "forbidden_address"
        ? "The operator can allow it with PROBE_ALLOWED_NETWORKS."
        : "Until it responds again, its certificate cannot be checked.",
  }),
  dns_failure: (evidence) => ({ says: reason(evidence), advice: "Check the name and the DNS of its domain." }),
  starttls_unsupported: (evidence) => ({
    says: `It can be reached, but does not start TLS in ${text(evidence, "protocol").toUpperCase()}. ${reason(evidence, refusals)}`,
    advice: "The connection is not encrypted. Turn on STARTTLS, or choose the right protocol.",
  }),
  tls_handshake_failed: (evidence) => ({
    says: `It can be reached, but the TLS handshake failed. ${reason(evidence)}`,
    advice: "Check that the port speaks TLS from the first byte and that the server knows the name sent (SNI).",
  }),
  expired: (evidence) => ({
    says: (
      <>
        {who(evidence)} expired {at(evidence, "not_after")}.
      </>
    ),
    advice:
      text(evidence, "role") === "issuer"
        ? "Clients reject all certificates below it. Serve the authority’s current intermediate, or have your certificate reissued."
        : "Clients reject it. Renew it and install the new certificate.",
  }),
  not_yet_valid: (evidence) => ({
    says: (
      <>
        {who(evidence)} is not valid before {at(evidence, "not_before")}.
      </>
    ),
    advice: "Clients reject it until then. Install a valid certificate, or correct the issuer’s clock.",
  }),
  expires_soon: (evidence, renewal) => ({
    says: (
      <>
        It expires {at(evidence, "not_after")}: less than {Math.round(Number(text(evidence, "threshold_days")))} of its{" "}
        {plural(Math.round(Number(text(evidence, "lifetime_days"))), "day is", "days are")} left.
      </>
    ),
    advice: lateRenewal(renewal, "An automatic renewal should have happened by now: check it."),
  }),
  renewal_overdue: (evidence, renewal) => ({
    says: <>It expires {at(evidence, "not_after")}, and no newer certificate for its names has been seen.</>,
    advice: `${
      text(evidence, "window_end")
        ? "The window in which its authority suggests renewing it has ended."
        : "Less than a third of its lifetime is left."
    } ${lateRenewal(renewal, "Check the automatic renewal.")}`,
  }),
  renewal_later_than_usual: (evidence, renewal) => ({
    says: (
      <>
        It was usually renewed with {Math.round(Number(text(evidence, "usual_left_share")) * 100)}% of its lifetime
        left: this time {at(evidence, "usually_renewed_at")}. It expires {at(evidence, "not_after")}.
      </>
    ),
    advice: `Of its last ${text(evidence, "renewals")} renewals, most came sooner. ${lateRenewal(renewal, "Check whether the renewal still runs.")}`,
  }),
  renewal_moved_forward: (evidence) => {
    const from = object(evidence, "from");
    const url = text(evidence, "explanation_url");
    return {
      says: (
        <>
          Its authority now suggests renewing it {at(object(evidence, "to"), "start")}
          {text(from, "start") ? <>, instead of {at(from, "start")}</> : null}.{" "}
          {url !== "" && (
            <a href={url} target="_blank" rel="noreferrer" className="break-all underline">
              {url}
            </a>
          )}
        </>
      ),
      advice: "It will probably be revoked: renew it now, and install the new certificate.",
    };
  },
  renewed_not_deployed: (evidence) => {
    const [newer, served] = [object(evidence, "newer"), object(evidence, "served")];
    return {
      says: (
        <>
          A certificate for the same names is valid until {at(newer, "not_after")}; this one expires{" "}
          {at(served, "not_after")}.
        </>
      ),
      advice: "Install the newer certificate, or reload the server.",
    };
  },
  revoked: (evidence) => ({
    says: (
      <>
        {who(evidence)} was revoked {at(evidence, "revoked_at")}
        {text(evidence, "reason") && ` (${text(evidence, "reason").replaceAll("_", " ")})`}.
      </>
    ),
    advice: "Clients reject it. Find out why, and install a new certificate.",
  }),
  revocation_unknown: (evidence) => ({
    says: `The revocation status of ${who(evidence)} is unknown. ${reason(evidence, unknowns)}`,
    advice:
      text(evidence, "reason") === "ocsp_only"
        ? "OCSP is only read where the server staples the response. Turn on OCSP stapling, so that clients know the status too."
        : "No action is needed unless this continues. Then contact the certificate authority.",
  }),
  ocsp_staple_invalid: (evidence) => ({
    says: `The OCSP response stapled to ${who(evidence)} says nothing about it. ${reason(evidence, staples)}`,
    advice:
      "Firefox rejects the connection. Check that the server can reach the OCSP responder, and that it fetches a new response before the last one ends.",
  }),
  ocsp_staple_missing: (evidence) => ({
    says: `${who(evidence)} requires a stapled OCSP response (must-staple), but the server sends none.`,
    advice:
      evidence.ocsp_named === false
        ? "Firefox rejects the connection, and the certificate names no OCSP responder to staple from. Have it reissued without must-staple."
        : "Firefox rejects the connection. Turn on OCSP stapling, or have the certificate reissued without must-staple.",
  }),
  chain_incomplete: (evidence) => ({
    says: `The certificate of ${who(evidence, "missing_issuer")} is not served${evidence.certain === false ? ", if it is an intermediate" : ""}.`,
    advice: "Some browsers fetch it themselves; most other clients do not. Serve the full chain without the root.",
  }),
  chain_misordered: (evidence) => ({
    says: `Served as ${few(
      objects(evidence, "served").map((each) => who(each)),
      undefined,
      5,
    )}, but each certificate should be issued by the next.`,
    advice: "Most clients reorder it; strict ones reject it. Serve the leaf first, then its issuer, and so on.",
  }),
  chain_extra: (evidence) => ({
    says: `Not needed: ${few(objects(evidence, "certificates").map((each) => `${who(each)} (${text(each, "why")})`))}.`,
    advice: "It makes every handshake larger. Remove it.",
  }),
  intermediate_expires_first: (evidence) => ({
    says: (
      <>
        {text(evidence, "role") === "root" && "The root "}
        {who(evidence)} expires {at(evidence, "not_after")}, before the certificate that depends on it.
      </>
    ),
    advice: "Clients reject both from then on. Get a certificate from a newer issuer before that.",
  }),
  untrusted_root: (evidence) => ({
    says: `The chain ends at ${who(evidence)}, which is not among the roots that browsers trust.`,
    advice: "Clients reject it unless they are configured to trust this root, as in a company network.",
  }),
  root_distrusted: (evidence) => ({
    says: (
      <>
        Browsers distrust what {who(evidence)} issued after {at(evidence, "distrust_after")}. This certificate was
        issued {at(evidence, "not_before")}.
      </>
    ),
    advice: "Browsers reject it. Get a certificate from another authority.",
  }),
  self_signed: () => ({
    says: "It is self-signed: no certificate authority issued it.",
    advice: "Clients reject it unless they are configured to trust this certificate.",
  }),
  hostname_mismatch: (evidence) => ({
    says: `${text(evidence, "expected")} is not among its names: ${few(texts(evidence, "names"), Number(text(evidence, "names_total")) || undefined)}.`,
    advice: "Clients reject it. Issue a certificate with this name, or serve the right one.",
  }),
  san_missing: (evidence) => ({
    says: `It has a common name (${text(evidence, "common_name") || "empty"}) but no subject alternative names, and clients ignore the common name.`,
    advice: "Issue a certificate with its names as subject alternative names.",
  }),
  ...usageWords,
  ...caaWords,
  weak_key: (evidence) => ({
    says: `The ${text(evidence, "key_type").toUpperCase()} key of ${who(evidence)} has ${text(evidence, "key_bits")} bits.`,
    advice: text(evidence, "least_bits")
      ? `At least ${text(evidence, "least_bits")} are required. Create a new key and certificate.`
      : "Keys of this type are obsolete. Create a new key and certificate.",
  }),
  weak_signature: (evidence) => ({
    says: `${who(evidence)} is signed with ${text(evidence, "signature_algorithm") || text(evidence, "digest")}, which can be forged.`,
    advice: "Clients reject it. Have it reissued.",
  }),
  ...scanWords,
  lifetime_exceeds_policy: (evidence) => ({
    says: `It is valid for ${plural(Math.round(Number(text(evidence, "lifetime_days"))), "day")}; at most ${text(evidence, "limit_days")} ${counted(Number(text(evidence, "limit_days")), "is", "are")} allowed.`,
    advice:
      text(evidence, "rule") === "endpoint"
        ? "The limit is set for this endpoint. Get a certificate with a shorter lifetime."
        : "The limit is that of browsers for its date of issue: they may reject it.",
  }),
  issuer_unexpected: (evidence) => ({
    says: `It was issued by ${who(evidence, "issuer")}; expected: ${few(texts(evidence, "expected").map(shortName))}.`,
    advice: "If nobody changed the certificate authority, find out who requested it.",
  }),
  issuance_unauthorized: (evidence) => ({
    says: `${text(evidence, "issuer")} issued a certificate for ${few(texts(evidence, "names"))}, and it is not known to be yours.`,
    advice:
      "If one of your teams obtained it, say so in the list of issued certificates. If not, ask the issuer to revoke it, and find out how it was validated.",
  }),
  pin_mismatch: (evidence) => ({
    says: "No certificate in the chain has one of the expected keys.",
    advice: `Clients that pin keys reject it. Found: ${few(objects(evidence, "seen").map((each) => text(each, "pin")))}.`,
  }),
  address_divergence: (evidence) => ({
    says: `Its addresses respond differently: ${few(
      objects(evidence, "addresses").map(
        (each) => `${text(each, "address")} (${text(each, "sha256").slice(0, 12) || text(each, "reason")})`,
      ),
      undefined,
      6,
    )}.`,
    advice: "Install the same certificate at each address, and make sure that each responds.",
  }),
  certificates_alternate: (evidence) => ({
    says: `${text(evidence, "checks") ? `Within the last ${text(evidence, "checks")} checks` : "In connections of one scan"}, these took turns${
      text(evidence, "address") ? ` at ${text(evidence, "address")}` : ""
    }: ${few(
      objects(evidence, "certificates").map(
        (each) => `${text(each, "sha256").slice(0, 12)}… (until ${day(each, "not_after")})`,
      ),
      undefined,
      4,
    )}.`,
    advice:
      "A server behind a load balancer probably has another certificate. Install the same one on each. Until then, the findings of all of them are shown.",
  }),
  names_removed: (evidence) => ({
    says: `Removed with the last change: ${few(texts(evidence, "names"), undefined, 6)}.`,
    advice: "Services that still use these names can no longer be reached over TLS.",
  }),
  key_reused: () => ({
    says: "It has the same key as the previous certificate.",
    advice: "A new key with each renewal limits the damage of a stolen key.",
  }),
  certificate_changed: (evidence) => ({
    says: `It serves ${text(evidence, "to").slice(0, 12)}… instead of ${text(evidence, "from").slice(0, 12)}….`,
    advice: "Expected after a renewal. If nobody renewed it, find out who did.",
  }),
};
