-- What ends says so to the next evaluation of the alert rules, which else would not know of what began and ended since the one before.
ALTER TABLE uptime_incidents ADD COLUMN awaits_evaluation boolean NOT NULL DEFAULT false;
ALTER TABLE certificate_findings
  ADD COLUMN certificate_id uuid,
  ADD COLUMN awaits_evaluation boolean NOT NULL DEFAULT false;
