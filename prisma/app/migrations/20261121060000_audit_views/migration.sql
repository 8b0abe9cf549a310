-- Saved views of the audit log. owner_id is a person's or a key's id, or the organization's own for a view that all its members see.
CREATE TABLE audit_views (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  query jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by_type text NOT NULL,
  created_by_id uuid,
  created_by_name text NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX audit_views_organization_id_owner_id_name_key ON audit_views (organization_id, owner_id, name);
