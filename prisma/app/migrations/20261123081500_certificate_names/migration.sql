-- Who may issue for the names of served certificates (CAA). The previous release knows neither the table nor the column; rows appear
-- with checks.
CREATE TABLE certificate_names (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  reading jsonb,
  before jsonb,
  changed_at timestamptz(3),
  error text,
  failures integer NOT NULL DEFAULT 0,
  checked_at timestamptz(3),
  answered_at timestamptz(3),
  next_check_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX ON certificate_names (organization_id, name);
CREATE INDEX ON certificate_names (organization_id, next_check_at);
ALTER TABLE certificate_endpoints ADD COLUMN expected_accounts text[] NOT NULL DEFAULT '{}';
