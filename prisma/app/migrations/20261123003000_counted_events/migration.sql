-- Evaluations continue to count events where they stopped, so that none is missed after an outage of the audit database.
ALTER TABLE alert_evaluations ADD COLUMN events_counted_at timestamptz(3);
