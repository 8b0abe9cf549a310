-- Legal holds on an organization's audit log. `filter` is a query string of the log's filters; null: the whole log. Events before
-- `covers_since` had expired when the hold was placed. `settled_at`: the worker has filed what the released hold kept.
CREATE TABLE audit_holds (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  reason text NOT NULL,
  filter text,
  covers_since timestamptz(3) NOT NULL,
  placed_at timestamptz(3) NOT NULL,
  placed_by_type text NOT NULL,
  placed_by_id uuid,
  placed_by_name text NOT NULL,
  released_at timestamptz(3),
  released_by_type text,
  released_by_id uuid,
  released_by_name text,
  settled_at timestamptz(3),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_holds_unsettled_idx ON audit_holds (organization_id) WHERE settled_at IS NULL;

-- Whether the class of held events may have events of the organization, and since when its active holds cover events.
ALTER TABLE organizations ADD COLUMN audit_has_held boolean NOT NULL DEFAULT false, ADD COLUMN audit_held_since timestamptz(3);
