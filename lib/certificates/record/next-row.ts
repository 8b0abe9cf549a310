import type { Served } from "@/lib/certificates/probe/observation";
import type { IdOf } from "@/lib/certificates/record/record-certificates";
import type { Observed } from "@/lib/certificates/record/record-endpoints";
import type { Entry } from "@/lib/certificates/record/record-results";
import type { Certificate } from "@/lib/certificates/x509/x509";

function observedBy({ result: { endpoint, observations } }: Entry, idOf: IdOf): Observed[] {
  return observations.map((each) => ({
    address: each.address,
    certificate_id: each.outcome === "served" ? idOf(endpoint.organizationId, each.chain[0]) : null,
    reason: each.outcome === "failed" ? each.failure.reason : null,
  }));
}

/** The row's columns after a check that saw a certificate. */
export function servedRow(entry: Entry, served: Served, idOf: IdOf) {
  const { row, at, expected, result } = entry;
  const ids = (certificates: readonly Certificate[]) =>
    certificates.map((certificate) => idOf(result.endpoint.organizationId, certificate));
  const isChanged = row.leaf?.sha256 !== served.chain[0].sha256;
  const { dnsMs: dns_ms, connectMs: connect_ms, tlsMs: tls_ms } = served.timings;
  const { address, protocol, cipher } = served;
  return {
    certificate_id: ids(served.chain)[0] ?? null,
    previous_certificate_id: (isChanged ? row.leaf?.id : row.previous?.id) ?? null,
    certificate_since: isChanged ? at : row.certificate_since,
    served_chain: ids(served.chain),
    expected_chain: ids(expected),
    observed: observedBy(entry, idOf),
    connection: protocol === null ? null : { address, protocol, cipher, dns_ms, connect_ms, tls_ms },
  };
}

/** The row's columns after a check that saw none: keeps the last certificate. */
export function failedRow({ row }: Entry) {
  return {
    certificate_id: null,
    previous_certificate_id: row.previous?.id ?? null,
    certificate_since: row.certificate_since,
    served_chain: null,
    expected_chain: null,
    observed: null,
    connection: null,
  };
}
