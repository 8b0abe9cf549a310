-- The keys of the sealed logs, each from a size on, with the first checkpoint of all but the first, which the key before signed, too.
-- `log` is an organization's id, or 'installation'.
CREATE TABLE audit_seal_keys (
  log text NOT NULL,
  epoch integer NOT NULL,
  since_size bigint NOT NULL,
  public_key bytea NOT NULL,
  checkpoint text,
  PRIMARY KEY (log, epoch, since_size)
);
INSERT INTO audit_seal_keys (log, epoch, since_size, public_key)
SELECT log, signed.epoch, 0, public_key FROM audit_seal_installation CROSS JOIN LATERAL (
  SELECT 'installation' AS log, audit_seal_installation.epoch
  UNION SELECT organization_id::text, epoch FROM audit_seal_checkpoints
) AS signed WHERE public_key IS NOT NULL;

-- A change of the key that an event announces: the new key, and from which size on both sign.
ALTER TABLE audit_seal_logs ADD COLUMN next_public_key bytea, ADD COLUMN next_key_from bigint;
