CREATE TABLE certificates (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  der bytea NOT NULL,
  subject text NOT NULL,
  common_name text,
  issuer text NOT NULL,
  serial_number text NOT NULL,
  sans text[] NOT NULL,
  not_before timestamptz(3) NOT NULL,
  not_after timestamptz(3) NOT NULL,
  key_type text NOT NULL,
  key_bits integer,
  signature_algorithm text NOT NULL,
  is_ca boolean NOT NULL,
  served_first boolean NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX certificates_organization_id_sha256_key ON certificates (organization_id, sha256);
CREATE INDEX certificates_organization_id_not_after_idx ON certificates (organization_id, not_after);

CREATE TABLE certificate_endpoints (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  host text NOT NULL,
  port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  sni text NOT NULL DEFAULT '',
  version integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'ok', 'info', 'warning', 'critical', 'unreachable')),
  reachability text NOT NULL DEFAULT 'unknown' CHECK (reachability IN ('unknown', 'reachable', 'unreachable')),
  reachability_since timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  certificate_id uuid,
  served_chain uuid[] NOT NULL,
  connection jsonb,
  last_checked_at timestamptz(3),
  next_check_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, certificate_id) REFERENCES certificates (organization_id, id) ON DELETE NO ACTION ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX certificate_endpoints_organization_id_host_port_sni_key ON certificate_endpoints (organization_id, host, port, sni);
CREATE INDEX certificate_endpoints_organization_id_certificate_id_idx ON certificate_endpoints (organization_id, certificate_id);
CREATE INDEX certificate_endpoints_next_check_at_idx ON certificate_endpoints (next_check_at);

CREATE TABLE certificate_sightings (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  address text NOT NULL,
  certificate_id uuid NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, endpoint_id, address, certificate_id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES certificate_endpoints (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (organization_id, certificate_id) REFERENCES certificates (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX certificate_sightings_organization_id_certificate_id_idx ON certificate_sightings (organization_id, certificate_id);

CREATE TABLE certificate_findings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  code text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  evidence jsonb NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES certificate_endpoints (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX certificate_findings_organization_id_endpoint_id_opened_at_idx ON certificate_findings (organization_id, endpoint_id, opened_at);
CREATE UNIQUE INDEX certificate_findings_open_key ON certificate_findings (organization_id, endpoint_id, code) WHERE closed_at IS NULL;
