-- The endpoints and monitors of a trust store after this id are to be made due, because its certificates changed; null if none are.
ALTER TABLE certificate_trust_stores ADD COLUMN recheck_after uuid;
CREATE INDEX certificate_trust_stores_recheck_idx ON certificate_trust_stores (organization_id, id) WHERE recheck_after IS NOT NULL;
