import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import { exportFile } from "@/lib/certificates/export-file";
import type * as contract from "@/lib/certificates/file-contract";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** A file of all endpoints that match the filters, importable columns first. */
export function exportCertificateEndpoints(
  principal: Principal,
  { format, bom, ...filters }: Input<typeof contract.exportCertificateEndpoints>,
): Promise<Output<typeof contract.exportCertificateEndpoints>> {
  const read = (limit: number, cursor: string | undefined) =>
    listCertificateEndpoints(principal, { ...filters, sort: "newest", limit, cursor });
  return exportFile("endpoints", { format, bom }, read, {
    host: ({ host }) => host,
    port: ({ port }) => port,
    protocol: ({ protocol }) => protocol,
    sni: ({ sni }) => sni,
    connect_to: ({ connect_to }) => connect_to,
    address_mode: ({ address_mode }) => address_mode,
    interval_seconds: ({ interval_seconds }) => interval_seconds,
    tags: ({ tags }) => tags.join(" "),
    // An empty cell of a CSV would be the default trust store when it is imported.
    trust_store_id: ({ trust_store_id }) => trust_store_id ?? (format === "csv" ? "none" : null),
    expected_issuers: ({ expected_issuers }) => expected_issuers,
    expected_accounts: ({ expected_accounts }) => expected_accounts,
    pins: ({ pins }) => pins,
    max_lifetime_days: ({ max_lifetime_days }) => max_lifetime_days,
    reported: ({ reported }) => reported,
    agent_id: ({ agent_id }) => agent_id,
    owner: ({ owner }) => owner,
    renewal_method: ({ renewal_method }) => renewal_method,
    renewal_note: ({ renewal_note }) => renewal_note,
    renewal_link: ({ renewal_link }) => renewal_link,
    id: ({ id }) => id,
    status: ({ status }) => status,
    findings: ({ findings }) => findings.map(({ code }) => code).join(" "),
    certificate_sha256: ({ certificate }) => certificate?.sha256 ?? null,
    not_after: ({ certificate }) => certificate?.not_after ?? null,
    renewal_due_at: ({ renewal_due_at }) => renewal_due_at,
    last_checked_at: ({ last_checked_at }) => last_checked_at,
    created_at: ({ created_at }) => created_at,
  });
}
