-- The trust store that an organization's new endpoints use unless they name another or none.
ALTER TABLE certificate_trust_stores ADD COLUMN is_default boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX certificate_trust_stores_default_key ON certificate_trust_stores (organization_id) WHERE is_default;
