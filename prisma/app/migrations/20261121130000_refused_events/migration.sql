ALTER TABLE audit_outbox ADD COLUMN refused_at timestamptz(3);
