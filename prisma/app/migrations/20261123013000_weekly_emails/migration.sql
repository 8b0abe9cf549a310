-- People who get an e-mail about a saved view every week.
CREATE TABLE audit_view_emails (
  organization_id uuid NOT NULL,
  view_id uuid NOT NULL,
  user_id uuid NOT NULL,
  next_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  PRIMARY KEY (organization_id, view_id, user_id),
  FOREIGN KEY (organization_id, view_id) REFERENCES audit_views (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX audit_view_emails_organization_id_user_id_idx ON audit_view_emails (organization_id, user_id);
CREATE INDEX audit_view_emails_next_at_idx ON audit_view_emails (next_at);
