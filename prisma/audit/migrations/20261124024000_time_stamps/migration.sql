-- Checkpoints of the installation's log with a time stamp (RFC 3161) of an authority; without a token: not answered yet.
CREATE TABLE audit_seal_stamps (
  epoch integer NOT NULL,
  index bigint NOT NULL,
  checkpoint text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  leased_until timestamptz(3),
  authority text,
  token bytea,
  stamped_at timestamptz(3),
  PRIMARY KEY (epoch, index)
);
