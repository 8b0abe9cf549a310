ALTER TABLE organizations ADD COLUMN deletion_requested_at timestamptz(3), ADD COLUMN deletion_requested_by text,
  ADD COLUMN deletion_due_at timestamptz(3);
CREATE INDEX organizations_deletion_due_at_idx ON organizations (deletion_due_at);

CREATE TABLE invitations (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  email text NOT NULL,
  permission text NOT NULL CHECK (permission IN ('admin', 'read')),
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_organization_id_email_key ON invitations (organization_id, email);
CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

-- Of organizations that are no more, until nothing of them is left in the audit database either.
CREATE TABLE organization_purges (
  organization_id uuid PRIMARY KEY,
  purged_at timestamptz(3) NOT NULL
);
