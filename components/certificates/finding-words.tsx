import type { ReactNode } from "react";
import { type Evidence, few, objects, text, texts } from "@/components/certificates/evidence";
import { shortName } from "@/components/certificates/names";
import { Time } from "@/components/ui/time";
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

function reason(evidence: Evidence): string {
  const detail = text(evidence, "detail");
  const known = reasons[text(evidence, "reason")] ?? "It failed for an unknown reason.";
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
  certificate_changed: (evidence) => ({
    says: `It serves ${text(evidence, "to").slice(0, 12)}…, and served ${text(evidence, "from").slice(0, 12)}… before.`,
    advice: "Expected after a renewal. If nobody renewed it, find out who did.",
  }),
};
