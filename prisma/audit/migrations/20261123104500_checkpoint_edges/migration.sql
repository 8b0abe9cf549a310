-- Never read: roots follow from the stored nodes.
ALTER TABLE audit_seal_checkpoints DROP COLUMN edge;
