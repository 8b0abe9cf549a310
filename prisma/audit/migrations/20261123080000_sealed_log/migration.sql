-- Events that wait to be sealed: appended by the statement that stores them.
CREATE TABLE audit_seal_queue (
  organization_id uuid NOT NULL,
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  ids uuid[] NOT NULL,
  PRIMARY KEY (organization_id, queued_at, id)
);

-- One sealed log per organization, with what is needed to append to its tree. A slot is never given to another organization.
CREATE TABLE audit_seal_logs (
  organization_id uuid PRIMARY KEY,
  slot bigint NOT NULL,
  epoch integer NOT NULL DEFAULT 1,
  size bigint NOT NULL DEFAULT 0,
  edge bytea NOT NULL DEFAULT '',
  sealed_at timestamptz(3),
  -- While events from before the sealed log remain: the last one that is sealed.
  import_after uuid,
  -- The tree that is about to be signed (head), and how far a signature covers it.
  head_size bigint NOT NULL DEFAULT 0,
  head_edge bytea NOT NULL DEFAULT '',
  head_root bytea,
  signed_size bigint NOT NULL DEFAULT 0,
  -- Why nothing is signed any more.
  refused text,
  refused_at timestamptz(3)
);

-- The sealed events, some per row, by their index in the log. Events of one row occurred within seconds, so that an event's row is
-- found by its time.
CREATE TABLE audit_seals (
  organization_id uuid NOT NULL,
  epoch integer NOT NULL,
  first_index bigint NOT NULL,
  retention_days smallint NOT NULL,
  filed_at timestamptz(3) NOT NULL,
  sealed_at timestamptz(3) NOT NULL,
  min_at timestamptz(3) NOT NULL,
  max_at timestamptz(3) NOT NULL,
  ids uuid[] NOT NULL,
  nonces bytea NOT NULL,
  commitments bytea NOT NULL,
  PRIMARY KEY (organization_id, epoch, first_index)
);
-- Hashes and nonces cannot be compressed; lookups read only the ids.
ALTER TABLE audit_seals ALTER COLUMN ids SET STORAGE MAIN, ALTER COLUMN nonces SET STORAGE EXTERNAL,
  ALTER COLUMN commitments SET STORAGE EXTERNAL;
CREATE INDEX audit_seals_organization_id_min_at_max_at_idx ON audit_seals (organization_id, min_at, max_at);
CREATE INDEX audit_seals_organization_id_filed_at_idx ON audit_seals (organization_id, filed_at);

-- The hashes of complete subtrees whose level is a multiple of eight; those between follow from the rows above.
CREATE TABLE audit_seal_nodes (
  organization_id uuid NOT NULL,
  epoch integer NOT NULL,
  level smallint NOT NULL,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (organization_id, epoch, level, position)
);

-- The whole installation, in one row: since when it seals, the slots given so far, and the log over the heads of all logs.
CREATE TABLE audit_seal_installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  imports_listed boolean NOT NULL DEFAULT false,
  slots bigint NOT NULL DEFAULT 0,
  host text,
  public_key bytea,
  epoch integer NOT NULL DEFAULT 1,
  size bigint NOT NULL DEFAULT 0,
  edge bytea NOT NULL DEFAULT '',
  -- Why nothing is signed any more.
  refused text
);
INSERT INTO audit_seal_installation DEFAULT VALUES;

-- The entries of that log, each with the checkpoint that covers it. Without a checkpoint: the round was not completed yet.
CREATE TABLE audit_seal_rounds (
  epoch integer NOT NULL,
  index bigint NOT NULL,
  slots bigint NOT NULL,
  root bytea NOT NULL,
  edge_before bytea NOT NULL,
  checkpoint text,
  PRIMARY KEY (epoch, index)
);

CREATE INDEX audit_seal_rounds_unfinished_idx ON audit_seal_rounds (epoch, index) WHERE checkpoint IS NULL;

-- Signed checkpoints of organizations: the newest, and the last of each day.
CREATE TABLE audit_seal_checkpoints (
  organization_id uuid NOT NULL,
  epoch integer NOT NULL,
  size bigint NOT NULL,
  edge bytea NOT NULL,
  checkpoint text NOT NULL,
  heads jsonb NOT NULL,
  signed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, epoch, size)
);
