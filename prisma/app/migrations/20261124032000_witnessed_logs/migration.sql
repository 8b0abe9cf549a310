-- The last size and root of each log of others that this installation has witnessed.
CREATE TABLE witnessed_logs (
  origin text PRIMARY KEY,
  size bigint NOT NULL,
  root bytea NOT NULL,
  witnessed_at timestamptz(3) NOT NULL DEFAULT now()
);
