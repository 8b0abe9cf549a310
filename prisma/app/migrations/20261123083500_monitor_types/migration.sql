-- Monitors that look up names, and what only their type has: {"dns": …}.
ALTER TABLE uptime_monitors
  ADD COLUMN type_settings jsonb NOT NULL DEFAULT '{}',
  DROP CONSTRAINT uptime_monitors_type_check,
  ADD CONSTRAINT uptime_monitors_type_check CHECK (type IN ('http', 'tcp', 'dns', 'heartbeat')) NOT VALID;
