-- The last signed size and root of each sealed log, and of the log over all of them, outside of the database that they are about.
CREATE TABLE sealed_heads (
  log text PRIMARY KEY,
  epoch integer NOT NULL,
  size bigint NOT NULL,
  root bytea NOT NULL
);
