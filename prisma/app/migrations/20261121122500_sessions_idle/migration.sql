-- When a session was last used, to the minute, and the ID token it was opened with, sealed with SESSION_SECRET.
ALTER TABLE sessions
  ADD COLUMN seen_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN id_token text;
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
