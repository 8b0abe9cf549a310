-- Which processes run, with their versions and the last runs of their jobs.
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  node text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  jobs jsonb NOT NULL DEFAULT '{}'
);

-- The address that the identity provider called verified when the session began; null if it did not.
ALTER TABLE sessions ADD COLUMN verified_email text;
