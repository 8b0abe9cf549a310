-- Certificates that a TLS scan finds, so that they do not count as unused. Scans fill it within a day; the previous release ignores it.
CREATE TABLE scanned_certificates (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  certificate_id uuid NOT NULL,
  PRIMARY KEY (organization_id, endpoint_id, certificate_id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES certificate_endpoints (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (organization_id, certificate_id) REFERENCES certificates (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON scanned_certificates (organization_id, certificate_id);
