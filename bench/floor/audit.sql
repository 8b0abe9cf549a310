CREATE TABLE floor_events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  ip inet NOT NULL,
  user_agent text NOT NULL,
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
