CREATE TABLE domains (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  challenge text NOT NULL,
  proven_at timestamptz(3),
  proof_checked_at timestamptz(3),
  proof_error text,
  interval_hours integer NOT NULL,
  expected_issuers text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX domains_organization_id_name_key ON domains (organization_id, name);

CREATE TABLE domain_sources (
  organization_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('ct_search', 'ct_public_search', 'dns')),
  place text,
  names integer NOT NULL DEFAULT 0,
  error text,
  failures integer NOT NULL DEFAULT 0,
  last_started_at timestamptz(3),
  last_finished_at timestamptz(3),
  last_success_at timestamptz(3),
  next_run_at timestamptz(3),
  held_until timestamptz(3),
  leased_until timestamptz(3),
  PRIMARY KEY (organization_id, domain_id, source),
  FOREIGN KEY (organization_id, domain_id) REFERENCES domains (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX domain_sources_next_run_at_idx ON domain_sources (next_run_at);

CREATE TABLE subdomains (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  domain_id uuid NOT NULL,
  name text NOT NULL,
  wildcard boolean NOT NULL,
  sources text[] NOT NULL,
  addresses text[] NOT NULL DEFAULT '{}',
  resolved_at timestamptz(3),
  asked_at timestamptz(3),
  certificate_not_after timestamptz(3),
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  ignored_at timestamptz(3),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, domain_id) REFERENCES domains (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX subdomains_organization_id_name_key ON subdomains (organization_id, name);
CREATE INDEX subdomains_organization_id_domain_id_id_idx ON subdomains (organization_id, domain_id, id);

CREATE TABLE issuances (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  domain_id uuid NOT NULL,
  key bytea NOT NULL,
  names text[] NOT NULL,
  issuer text NOT NULL,
  not_before timestamptz(3) NOT NULL,
  not_after timestamptz(3) NOT NULL,
  revoked boolean,
  sources text[] NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  unexpected_since timestamptz(3),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, domain_id) REFERENCES domains (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX issuances_organization_id_domain_id_key_key ON issuances (organization_id, domain_id, key);
CREATE INDEX issuances_organization_id_domain_id_not_before_id_idx ON issuances (organization_id, domain_id, not_before, id);
CREATE INDEX issuances_organization_id_not_before_id_idx ON issuances (organization_id, not_before, id);
CREATE INDEX issuances_unexpected_idx ON issuances (organization_id, not_before, id) WHERE unexpected_since IS NOT NULL;
