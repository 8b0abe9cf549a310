import type { ReactNode } from "react";
import { type Evidence, few, object, objects, text, texts } from "@/components/certificates/findings/evidence";
import { shortName } from "@/components/certificates/inventory/names";
import { Time } from "@/components/time/time";
import type { FindingCode } from "@/lib/certificates/findings";

interface Words {
  /** What was seen. */
  says: ReactNode;
  /** What it means for clients, or what to do. */
  advice: string;
}

const reasons: Record<string, string> = {
  timeout: "It did not answer in time.",
  connection_refused: "It refused the connection: nothing listens on this port.",
  connection_reset: "It reset the connection.",
  connection_closed: "It closed the connection before a certificate was seen.",
  never_reported: "Nobody has reported what it serves.",
  no_longer_reported: "Reports of what it serves have ceased.",
  no_route: "There is no route to it.",
  forbidden_address: "Its address is in a network that may not be probed.",
  name_not_found: "There is no such name.",
  no_address: "The name has no address.",
  server_failure: "The name servers failed to answer.",
  not_tls: "What listens there does not speak TLS.",
  alert: "It refused the handshake with an alert.",
  protocol_error: "It broke the TLS protocol.",
  chain_too_large: "It sends more certificates than any client takes.",
};

/** Why TLS was not started in the protocol's own dialogue. */
const refusals: Record<string, string> = {
  not_offered: "The server does not offer it.",
  refused: "The server refused it.",
  unexpected_answer: "The server’s answer is none of this protocol.",
  too_much_said: "The server talks without end before it.",
  said_more: "The server went on talking in clear where TLS should begin.",
};

/** Why it cannot be known whether a certificate was revoked. */
const unknowns: Record<string, string> = {
  ocsp_only: "It names no list of revoked certificates, only a responder.",
  issuer_unknown: "Its issuer’s certificate is not known.",
  unsupported_url: "The list is not to be had by HTTP.",
  forbidden_address: "The list is in a network that may not be reached.",
  fetch_failed: "The list could not be fetched.",
  too_large: "The list is too large.",
  malformed: "The list cannot be read.",
  other_issuer: "The list is another issuer’s.",
  bad_signature: "The list’s signature is wrong.",
  outdated: "The list is out of date.",
  indirect: "The list is of a kind that is not read (indirect).",
  delta: "The list is of a kind that is not read (delta).",
  partial: "The list does not cover it.",
};

function reason(evidence: Evidence, words = reasons): string {
  const detail = text(evidence, "detail");
  const known = words[text(evidence, "reason")] ?? "It failed for an unknown reason.";
  return detail === "" ? known : `${known} (${detail})`;
}

function at(evidence: Evidence, name: string): ReactNode {
  const value = text(evidence, name);
  return value === "" ? "an unknown time" : <Time value={value} />;
}

const who = (evidence: Evidence, name = "subject") => shortName(text(evidence, name)) || "A certificate";

/** Each finding in words, with what was seen. */
export const findingWords: Record<FindingCode, (evidence: Evidence) => Words> = {
  unreachable: (evidence) => ({
    says: `No connection${text(evidence, "address") ? ` to ${text(evidence, "address")}` : ""}. ${reason(evidence)}`,
    advice:
      text(evidence, "reason") === "forbidden_address"
        ? "The operator can allow it with PROBE_ALLOWED_NETWORKS."
        : "Until it answers again, nothing new is known of its certificate.",
  }),
  dns_failure: (evidence) => ({ says: reason(evidence), advice: "Check the name, and the DNS of its domain." }),
  starttls_unsupported: (evidence) => ({
    says: `It can be reached, but does not start TLS in ${text(evidence, "protocol").toUpperCase()}. ${reason(evidence, refusals)}`,
    advice: "What is said there can be read by anyone on the way. Turn on STARTTLS, or choose the right protocol.",
  }),
  tls_handshake_failed: (evidence) => ({
    says: `It can be reached, but no TLS session came about. ${reason(evidence)}`,
    advice: "Check that the port speaks TLS from the first byte, and that the name sent (SNI) is one it knows.",
  }),
  expired: (evidence) => ({
    says: (
      <>
        {who(evidence)} expired {at(evidence, "not_after")}.
      </>
    ),
    advice: "Clients refuse it. Renew it and put the new one in place.",
  }),
  not_yet_valid: (evidence) => ({
    says: (
      <>
        {who(evidence)} is valid only from {at(evidence, "not_before")} on.
      </>
    ),
    advice: "Clients refuse it until then. Put a valid one in place, or correct the clock that issued it.",
  }),
  expires_soon: (evidence) => ({
    says: (
      <>
        It expires {at(evidence, "not_after")}: less than {Math.round(Number(text(evidence, "threshold_days")))} of its{" "}
        {Math.round(Number(text(evidence, "lifetime_days")))} days are left.
      </>
    ),
    advice: "If it is renewed automatically, that should have happened by now: look at the renewal.",
  }),
  renewal_overdue: (evidence) => ({
    says: <>It expires {at(evidence, "not_after")}, and no newer certificate for its names has been seen anywhere.</>,
    advice: "A third of its life is left, by when it should have been renewed: look at the renewal.",
  }),
  renewed_not_deployed: (evidence) => {
    const [newer, served] = [object(evidence, "newer"), object(evidence, "served")];
    return {
      says: (
        <>
          A certificate for the same names is known that lasts until {at(newer, "not_after")}; this one ends{" "}
          {at(served, "not_after")}.
        </>
      ),
      advice: "Put the newer one in place, or have the server load it.",
    };
  },
  revoked: (evidence) => ({
    says: (
      <>
        {who(evidence)} was revoked {at(evidence, "revoked_at")}
        {text(evidence, "reason") && ` (${text(evidence, "reason").replaceAll("_", " ")})`}.
      </>
    ),
    advice: "Clients refuse it. Find out why, and put another one in place.",
  }),
  revocation_unknown: (evidence) => ({
    says: `Whether ${who(evidence)} was revoked cannot be known. ${reason(evidence, unknowns)}`,
    advice: "Nothing needs to be done unless it stays so: then tell the authority.",
  }),
  chain_incomplete: (evidence) => ({
    says: `The certificate of ${who(evidence, "missing_issuer")} is not served${evidence.certain === false ? ", if it is an intermediate" : ""}.`,
    advice: "Browsers may fetch it by themselves, programs do not. Serve the full chain, without the root.",
  }),
  chain_misordered: (evidence) => ({
    says: `Served as ${few(
      objects(evidence, "served").map((each) => who(each)),
      undefined,
      5,
    )}, where each should be certified by the next.`,
    advice: "Most clients put it in order, strict ones refuse it. Serve the leaf first, then its issuer, and so on.",
  }),
  chain_extra: (evidence) => ({
    says: `Served without need: ${few(objects(evidence, "certificates").map((each) => `${who(each)} (${text(each, "why")})`))}.`,
    advice: "It only makes every handshake larger. Leave it out.",
  }),
  intermediate_expires_first: (evidence) => ({
    says: (
      <>
        {who(evidence)} ends {at(evidence, "not_after")}, before the certificate that it vouches for.
      </>
    ),
    advice: "From then on clients refuse both. Get a certificate from a newer intermediate in time.",
  }),
  untrusted_root: (evidence) => ({
    says: `The chain ends at ${who(evidence)}, which is not among the roots that browsers trust.`,
    advice: "Clients refuse it unless they were told to trust this root, as inside a company.",
  }),
  self_signed: () => ({
    says: "It is signed by itself: nobody vouches for it.",
    advice: "Clients refuse it unless they were told to trust exactly this certificate.",
  }),
  hostname_mismatch: (evidence) => ({
    says: `${text(evidence, "expected")} is not among its names: ${few(texts(evidence, "names"), Number(text(evidence, "names_total")) || undefined)}.`,
    advice: "Clients refuse it. Issue one that has this name, or serve the right one for it.",
  }),
  san_missing: (evidence) => ({
    says: `It names ${text(evidence, "common_name") || "nobody"} in its common name only, and clients no longer look there.`,
    advice: "Issue one that has its names as subject alternative names.",
  }),
  weak_key: (evidence) => ({
    says: `The ${text(evidence, "key_type").toUpperCase()} key of ${who(evidence)} has ${text(evidence, "key_bits")} bits.`,
    advice: text(evidence, "least_bits")
      ? `At least ${text(evidence, "least_bits")} are needed. Make a new key and certificate.`
      : "Keys of this kind are out of use. Make a new key and certificate.",
  }),
  weak_signature: (evidence) => ({
    says: `${who(evidence)} is signed with ${text(evidence, "signature_algorithm") || text(evidence, "digest")}, which can be forged.`,
    advice: "Clients refuse it. Have it issued anew.",
  }),
  legacy_protocol: (evidence) => ({
    says: `It negotiates ${text(evidence, "protocol")} with someone who offers newer ones.`,
    advice: "Enable TLS 1.2 and 1.3, and turn the older ones off.",
  }),
  lifetime_exceeds_policy: (evidence) => ({
    says: `It lives ${Math.round(Number(text(evidence, "lifetime_days")))} days, where ${text(evidence, "limit_days")} are allowed.`,
    advice:
      text(evidence, "rule") === "endpoint"
        ? "The limit is this endpoint’s own. Get one that lives shorter."
        : "The limit is the browsers’, for the day it was issued: they may refuse it.",
  }),
  issuer_unexpected: (evidence) => ({
    says: `It was issued by ${who(evidence, "issuer")}; expected: ${few(texts(evidence, "expected").map(shortName))}.`,
    advice: "If nobody changed the authority, find out who had it issued.",
  }),
  pin_mismatch: (evidence) => ({
    says: "No certificate of the chain has one of the keys that are expected here.",
    advice: `Clients that pin keys refuse it. Found: ${few(objects(evidence, "seen").map((each) => text(each, "pin")))}.`,
  }),
  address_divergence: (evidence) => ({
    says: `Its addresses do not answer alike: ${few(
      objects(evidence, "addresses").map(
        (each) => `${text(each, "address")} (${text(each, "sha256").slice(0, 12) || text(each, "reason")})`,
      ),
      undefined,
      6,
    )}.`,
    advice: "Put the same certificate in place at each address, and see to it that each answers.",
  }),
  names_removed: (evidence) => ({
    says: `Since the last change it no longer has ${few(texts(evidence, "names"), undefined, 6)}.`,
    advice: "Whoever is still called by these names can no longer be reached by TLS.",
  }),
  key_reused: () => ({
    says: "It has the same key as the certificate before it.",
    advice: "A new key with each renewal limits what a stolen one is good for.",
  }),
  certificate_changed: (evidence) => ({
    says: `It serves ${text(evidence, "to").slice(0, 12)}…, and served ${text(evidence, "from").slice(0, 12)}… before.`,
    advice: "Expected after a renewal. If nobody renewed it, find out who did.",
  }),
};
