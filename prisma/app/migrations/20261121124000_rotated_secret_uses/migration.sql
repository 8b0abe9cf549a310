-- When a secret of the key that a rotation had replaced was last tried.
ALTER TABLE api_keys ADD COLUMN rotated_secret_used_at timestamptz(3);
