-- The attempts with a key's old secrets that somebody has handled. strangers: addresses, or /64 networks, known at that time.
CREATE TABLE old_secrets_handlings (
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  handled_at timestamptz(3) NOT NULL,
  handled_by_type text NOT NULL,
  handled_by_id uuid,
  handled_by_name text NOT NULL,
  note text,
  strangers text[] NOT NULL,
  PRIMARY KEY (organization_id, api_key_id),
  FOREIGN KEY (organization_id, api_key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
