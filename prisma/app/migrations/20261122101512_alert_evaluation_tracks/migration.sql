-- Rules about audit events are evaluated apart from the others, each under a lease. One row per organization: small.
ALTER TABLE alert_evaluations
  ADD COLUMN leased_until timestamptz(3),
  ADD COLUMN events_next_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN events_leased_until timestamptz(3);
CREATE INDEX alert_evaluations_events_next_at_idx ON alert_evaluations (events_next_at);
