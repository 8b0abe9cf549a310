-- Monitors that ping a host. The previous release does not know the type: workers of it are replaced before the first is created.
ALTER TABLE uptime_monitors
  DROP CONSTRAINT uptime_monitors_type_check,
  ADD CONSTRAINT uptime_monitors_type_check CHECK (type IN ('http', 'tcp', 'dns', 'ping', 'heartbeat')) NOT VALID;
