-- Redacted events of the sealed logs: what is left of their seals instead of the nonce, as base64 by part, and by part the event that
-- redacted it.
CREATE TABLE audit_redactions (
  organization_id uuid NOT NULL,
  event_id uuid NOT NULL,
  epoch integer NOT NULL,
  index bigint NOT NULL,
  salts jsonb NOT NULL,
  hashes jsonb NOT NULL,
  redactions jsonb NOT NULL,
  PRIMARY KEY (organization_id, event_id)
);
CREATE INDEX audit_redactions_organization_id_epoch_index_idx ON audit_redactions (organization_id, epoch, index);
