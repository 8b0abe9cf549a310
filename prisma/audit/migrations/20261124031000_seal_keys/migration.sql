-- The keys of the sealed logs, each from a size on, with the first checkpoint of all but the first, which the key before signed, too.
-- The installation's log has the organization ffffffff-ffff-ffff-ffff-ffffffffffff.
CREATE TABLE audit_seal_keys (
  organization_id uuid NOT NULL,
  epoch integer NOT NULL,
  since_size bigint NOT NULL,
  public_key bytea NOT NULL,
  checkpoint text,
  PRIMARY KEY (organization_id, epoch, since_size)
);
INSERT INTO audit_seal_keys (organization_id, epoch, since_size, public_key)
SELECT organization_id, signed.epoch, 0, public_key FROM audit_seal_installation CROSS JOIN LATERAL (
  SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid AS organization_id, audit_seal_installation.epoch
  UNION SELECT organization_id, epoch FROM audit_seal_checkpoints
) AS signed WHERE public_key IS NOT NULL;

-- A change of the key that an event announces: the new key, and from which size on both sign.
ALTER TABLE audit_seal_logs ADD COLUMN next_public_key bytea, ADD COLUMN next_key_from bigint;
