CREATE TABLE floor_endpoints (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  host text NOT NULL,
  port integer NOT NULL,
  tags text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, host, port)
);
