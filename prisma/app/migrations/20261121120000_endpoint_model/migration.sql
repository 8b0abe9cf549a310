CREATE TABLE certificate_trust_stores (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  pem text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX certificate_trust_stores_organization_id_name_key ON certificate_trust_stores (organization_id, name);

ALTER TABLE certificate_endpoints
  ADD COLUMN protocol text NOT NULL DEFAULT 'tls'
    CHECK (protocol IN ('tls', 'https', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgres', 'mysql', 'xmpp')),
  ADD COLUMN connect_to text NOT NULL DEFAULT '',
  ADD COLUMN address_mode text NOT NULL DEFAULT 'one' CHECK (address_mode IN ('one', 'all')),
  ADD COLUMN interval_seconds integer NOT NULL DEFAULT 3600 CHECK (interval_seconds BETWEEN 60 AND 86400),
  ADD COLUMN tags text[] NOT NULL DEFAULT ARRAY[]::text[],
  ADD COLUMN trust_store_id uuid,
  ADD COLUMN expected_issuers text[] NOT NULL DEFAULT ARRAY[]::text[],
  ADD COLUMN pins text[] NOT NULL DEFAULT ARRAY[]::text[],
  ADD COLUMN max_lifetime_days integer,
  ADD COLUMN reported boolean NOT NULL DEFAULT false,
  ADD COLUMN reported_at timestamptz(3),
  ADD COLUMN failing_since timestamptz(3),
  ADD COLUMN previous_certificate_id uuid,
  ADD COLUMN certificate_since timestamptz(3),
  ADD COLUMN observed jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN expected_chain uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  ADD FOREIGN KEY (organization_id, trust_store_id) REFERENCES certificate_trust_stores (organization_id, id) ON DELETE NO ACTION ON UPDATE CASCADE,
  ADD FOREIGN KEY (organization_id, previous_certificate_id) REFERENCES certificates (organization_id, id) ON DELETE NO ACTION ON UPDATE CASCADE;
DROP INDEX certificate_endpoints_organization_id_host_port_sni_key;
CREATE UNIQUE INDEX certificate_endpoints_organization_id_host_port_sni_connect_key
  ON certificate_endpoints (organization_id, host, port, sni, connect_to);
CREATE INDEX certificate_endpoints_organization_id_trust_store_id_idx ON certificate_endpoints (organization_id, trust_store_id);
CREATE INDEX certificate_endpoints_failing_since_idx ON certificate_endpoints (failing_since);

-- A certificate that somebody handed in is kept whether or not an endpoint serves it.
ALTER TABLE certificates
  ADD COLUMN public_key_sha256 bytea,
  ADD COLUMN added_at timestamptz(3);
CREATE INDEX certificates_sans_idx ON certificates USING gin (sans);

CREATE INDEX certificate_sightings_organization_id_endpoint_id_first_see_idx
  ON certificate_sightings (organization_id, endpoint_id, first_seen_at);
