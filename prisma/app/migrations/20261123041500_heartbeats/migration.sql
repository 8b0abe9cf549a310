-- The addresses that heartbeat monitors wait to be called at, and how late a call may be.
ALTER TABLE uptime_monitors
  ADD COLUMN grace_seconds integer NOT NULL DEFAULT 300,
  DROP CONSTRAINT uptime_monitors_type_check,
  ADD CONSTRAINT uptime_monitors_type_check CHECK (type IN ('http', 'tcp', 'heartbeat')) NOT VALID;

CREATE TABLE uptime_heartbeats (
  organization_id uuid NOT NULL,
  monitor_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, monitor_id),
  FOREIGN KEY (organization_id, monitor_id) REFERENCES uptime_monitors (organization_id, id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
-- Callers name nothing but the token.
CREATE UNIQUE INDEX uptime_heartbeats_token_hash_key ON uptime_heartbeats (token_hash);
