/**
 * SQL that joins endpoints `e` with the certificates `s.certificate_id` that clients get beside `e.certificate_id`, the one of checks: of the
 * other key type, in turns, or at another address. As for findings (`withScan`), a scan from before that one changed says nothing.
 */
export const ALSO_SERVED = `
  JOIN scanned_certificates s
    ON s.organization_id = e.organization_id AND s.endpoint_id = e.id AND s.certificate_id <> e.certificate_id
  JOIN scanned_certificates checked
    ON checked.organization_id = e.organization_id AND checked.endpoint_id = e.id AND checked.certificate_id = e.certificate_id`;
