-- How monitors authenticate: what is shown of it, and what they send, encrypted. The worker encrypts the headers of older
-- monitors an hour later (lib/uptime/seal-headers.ts), because processes of the previous release read the column.
ALTER TABLE uptime_monitors
  ADD COLUMN header_names text[] NOT NULL DEFAULT '{}',
  ADD COLUMN authentication jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN secrets bytea;
