-- What https monitors trust. The worker builds the index of the foreign key.
ALTER TABLE uptime_monitors
  ADD COLUMN trust_store_id uuid,
  ADD COLUMN verify_tls boolean NOT NULL DEFAULT true,
  ADD CONSTRAINT uptime_monitors_organization_id_trust_store_id_fkey FOREIGN KEY (organization_id, trust_store_id)
    REFERENCES certificate_trust_stores (organization_id, id) ON DELETE NO ACTION ON UPDATE CASCADE NOT VALID;
