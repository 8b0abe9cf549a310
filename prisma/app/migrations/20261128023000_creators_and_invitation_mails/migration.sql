-- The person who created an organization; null for those of the operator and of earlier releases.
ALTER TABLE organizations ADD COLUMN created_by uuid;
CREATE INDEX organizations_created_by_idx ON organizations (created_by);

-- The invitations sent by e-mail in the last day. They count even if the invitation was withdrawn.
CREATE TABLE invitation_mails (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  sent_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  PRIMARY KEY (organization_id, sent_at, id)
);
CREATE INDEX invitation_mails_sent_at_idx ON invitation_mails (sent_at);
