-- What certificates may be used for, as in their extensions; empty for no limit. Certificates of before, and those that the previous
-- release records, are read by the worker, which builds the indexes, too (lib/db/finish-migrations.ts).
ALTER TABLE certificates
  ADD COLUMN key_usages text[] NOT NULL DEFAULT '{}'::text[],
  ADD COLUMN extended_key_usages text[] NOT NULL DEFAULT '{}'::text[],
  ADD COLUMN is_usage_known boolean NOT NULL DEFAULT false;
