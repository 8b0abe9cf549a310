-- The self-check of each sealed log: what the last one found, who works on the present one, and how far it has come.
CREATE TABLE audit_seal_checks (
  organization_id uuid PRIMARY KEY,
  checked_at timestamptz(3),
  size bigint,
  first_wrong_index bigint,
  message text,
  leased_until timestamptz(3),
  progress jsonb
);
