-- Who renews an endpoint's certificate, and how. It belongs to the endpoint, so the next certificate keeps it. An empty owner is none,
-- so that the key of the list has no null.
ALTER TABLE certificate_endpoints
  ADD COLUMN owner text NOT NULL DEFAULT '',
  ADD COLUMN renewal_method text,
  ADD COLUMN renewal_note text,
  ADD COLUMN renewal_link text,
  ADD COLUMN renewal_due_at timestamptz(3),
  ADD COLUMN renewal_leads real[];
-- What a calendar shows, and of whom. The index on due renewals is built by the worker (lib/db/finish-migrations.ts).
ALTER TABLE certificate_calendars
  ADD COLUMN owner text,
  ADD COLUMN shows text NOT NULL DEFAULT 'expirations';
