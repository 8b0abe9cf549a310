-- What servers take besides what a check negotiates. The previous release leaves it as it is.
ALTER TABLE certificate_endpoints ADD COLUMN tls_scan jsonb, ADD COLUMN tls_scan_due_at timestamptz(3);
