-- After which issuance a domain's are to be accounted for anew. The previous release does so at once, and leaves it as it is.
ALTER TABLE domains ADD COLUMN account_after uuid;
