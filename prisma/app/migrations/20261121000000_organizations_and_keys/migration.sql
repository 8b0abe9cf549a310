CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  plan text NOT NULL DEFAULT 'free',
  plan_changed_at timestamptz(3),
  audit_classes smallint[] NOT NULL DEFAULT '{30}',
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX organizations_slug_key ON organizations (slug);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX users_issuer_subject_key ON users (issuer, subject);
CREATE INDEX users_email_idx ON users (email);

CREATE TABLE memberships (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  permission text NOT NULL CHECK (permission IN ('admin', 'read')),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE api_keys (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  permission text NOT NULL CHECK (permission IN ('admin', 'read')),
  ip_whitelist text[] NOT NULL,
  hint text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  created_by_type text NOT NULL,
  created_by_id uuid,
  created_by_name text NOT NULL,
  expires_at timestamptz(3),
  rotated_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip text,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 80);

CREATE TABLE api_key_secrets (
  hash bytea PRIMARY KEY,
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  hint text NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  retired_at timestamptz(3),
  FOREIGN KEY (organization_id, api_key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX api_key_secrets_organization_id_api_key_id_idx ON api_key_secrets (organization_id, api_key_id);
-- Never two live secrets for one key, whatever the code above does.
CREATE UNIQUE INDEX api_key_secrets_live_key ON api_key_secrets (organization_id, api_key_id) WHERE retired_at IS NULL;

CREATE TABLE audit_outbox (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  writer integer NOT NULL,
  complete boolean NOT NULL,
  event jsonb NOT NULL,
  body bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX audit_outbox_created_at_idx ON audit_outbox (created_at);
