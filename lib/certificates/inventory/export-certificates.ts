import { exportFile } from "@/lib/certificates/export-file";
import type * as contract from "@/lib/certificates/file-contract";
import { listCertificates } from "@/lib/certificates/inventory/list-certificates";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** A file of all certificates that match the filters. */
export function exportCertificates(
  principal: Principal,
  { format, bom, ...filters }: Input<typeof contract.exportCertificates>,
): Promise<Output<typeof contract.exportCertificates>> {
  const read = (limit: number, cursor: string | undefined) =>
    listCertificates(principal, { ...filters, sort: "discovered", limit, cursor });
  return exportFile("certificates", { format, bom }, read, {
    id: ({ id }) => id,
    sha256: ({ sha256 }) => sha256,
    common_name: ({ common_name }) => common_name,
    subject: ({ subject }) => subject,
    sans: ({ sans }) => sans.join(" "),
    issuer: ({ issuer }) => issuer,
    serial_number: ({ serial_number }) => serial_number,
    not_before: ({ not_before }) => not_before,
    not_after: ({ not_after }) => not_after,
    key_type: ({ key_type }) => key_type,
    key_bits: ({ key_bits }) => key_bits,
    signature_algorithm: ({ signature_algorithm }) => signature_algorithm,
    key_usages: ({ key_usages }) => key_usages?.join(" ") ?? null,
    extended_key_usages: ({ extended_key_usages }) => extended_key_usages?.join(" ") ?? null,
    endpoint_count: ({ endpoint_count }) => endpoint_count,
    endpoints: ({ endpoints }) => endpoints.map(({ host, port }) => `${host}:${port}`).join(" "),
    owners: ({ endpoints }) => [...new Set(endpoints.flatMap(({ owner }) => owner ?? []))].join("; "),
    first_seen_at: ({ first_seen_at }) => first_seen_at,
    added_at: ({ added_at }) => added_at,
    obtained_at: ({ obtained_at }) => obtained_at,
  });
}
