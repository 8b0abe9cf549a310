ALTER TABLE organizations ADD COLUMN deletion_notified_at timestamptz(3);
