-- Witnesses that are asked to cosign the checkpoints of the log over all heads: what each has cosigned last, when it is asked next,
-- and why it made signing stop in an epoch, if it did.
CREATE TABLE audit_seal_witnesses (
  name text PRIMARY KEY,
  vkey text NOT NULL UNIQUE,
  url text NOT NULL,
  added_at timestamptz(3) NOT NULL DEFAULT now(),
  epoch integer,
  size bigint NOT NULL DEFAULT 0,
  cosigned_at timestamptz(3),
  asked_at timestamptz(3),
  next_at timestamptz(3) NOT NULL DEFAULT now(),
  leased_until timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  failure text,
  refused_epoch integer,
  refused text
);

-- Their cosignatures, as lines of a note: the first and the last one of each witness for an entry of that log. Those that no kept
-- checkpoint needs are deleted after two days.
CREATE TABLE audit_seal_cosignatures (
  epoch integer NOT NULL,
  index bigint NOT NULL,
  vkey text NOT NULL,
  first_at timestamptz(3) NOT NULL,
  first_line text NOT NULL,
  last_at timestamptz(3) NOT NULL,
  last_line text NOT NULL,
  kept boolean NOT NULL DEFAULT false,
  PRIMARY KEY (epoch, index, vkey)
);
CREATE INDEX audit_seal_cosignatures_first_at_idx ON audit_seal_cosignatures (first_at) WHERE NOT kept;

-- The leaves of that log in blocks of 256, with the root of each block, so that a proof can begin at any size.
CREATE TABLE audit_seal_round_blocks (
  epoch integer NOT NULL,
  block bigint NOT NULL,
  root bytea NOT NULL,
  leaves bytea NOT NULL,
  PRIMARY KEY (epoch, block)
);

-- A checkpoint's place among the heads of its own round, if a time stamp replaced it, and of a later round that witnesses cosign.
ALTER TABLE audit_seal_checkpoints ADD COLUMN first_heads jsonb, ADD COLUMN covered jsonb;
CREATE INDEX audit_seal_checkpoints_round_idx
  ON audit_seal_checkpoints (epoch, ((coalesce(first_heads, heads)->>'index')::bigint));
ALTER TABLE audit_seal_installation ADD COLUMN covered_index bigint, ADD COLUMN covered_at timestamptz(3);
