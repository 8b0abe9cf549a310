-- Pages that show chosen sites to everybody. sites: a list of {slug, label, monitor_id, endpoint_id}.
CREATE TABLE status_pages (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  published boolean NOT NULL DEFAULT false,
  sites jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- Visitors name nothing but it.
CREATE UNIQUE INDEX status_pages_slug_key ON status_pages (slug);
