-- Keys that may be used for one purpose only.
ALTER TABLE api_keys ADD COLUMN scope text;
-- Certificates that a client handed in after it obtained them. They are not watched for that alone.
ALTER TABLE certificates ADD COLUMN obtained_at timestamptz(3);
-- Whose issued certificates are: hours after which one that nobody accounts for is a finding (null: never), from when on, issuers through
-- which only this organization gets certificates, and keys that somebody called its own.
ALTER TABLE domains
  ADD COLUMN unauthorized_after_hours integer,
  ADD COLUMN accounted_since timestamptz(3),
  ADD COLUMN authorized_issuers text[] NOT NULL DEFAULT '{}'::text[],
  ADD COLUMN authorized_keys text[] NOT NULL DEFAULT '{}'::text[];
ALTER TABLE issuances
  ADD COLUMN public_key_sha256 bytea,
  ADD COLUMN authorized_by text,
  ADD COLUMN authorized_name text;
-- Indexes on keys of certificates and on what nothing accounts for yet are built by the worker (lib/db/finish-migrations.ts).
