-- What http monitors send and expect besides a status and a text. assertions: the fields of lib/uptime/assertions.ts that are set.
ALTER TABLE uptime_monitors
  ADD COLUMN request_body text,
  ADD COLUMN assertions jsonb NOT NULL DEFAULT '{}';
