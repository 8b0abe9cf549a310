-- When a checkpoint was sent to somebody outside; such a checkpoint is kept.
ALTER TABLE audit_seal_checkpoints ADD COLUMN anchored_at timestamptz(3);
