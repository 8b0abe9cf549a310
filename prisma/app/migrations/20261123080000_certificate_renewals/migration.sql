-- When authorities suggest to renew certificates (RFC 9773). The previous release does not know the table; rows appear with checks.
CREATE TABLE certificate_renewals (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  directory text,
  followed jsonb,
  explanation_url text,
  error text,
  failures integer NOT NULL DEFAULT 0,
  asked_at timestamptz(3),
  answered_at timestamptz(3),
  next_check_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, id) REFERENCES certificates (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX ON certificate_renewals (organization_id, next_check_at);
