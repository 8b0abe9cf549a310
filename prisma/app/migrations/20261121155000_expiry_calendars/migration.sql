CREATE TABLE certificate_calendars (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  tag text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- Whoever asks for a calendar names nothing but it.
CREATE UNIQUE INDEX certificate_calendars_id_key ON certificate_calendars (id);
