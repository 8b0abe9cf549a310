-- The one purchase page that an organization may have open at the payment provider.
CREATE TABLE billing_checkouts (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  plan text NOT NULL,
  customer_id text,
  email text,
  session_id text,
  expires_at timestamptz(3) NOT NULL
);

-- Subscriptions are read from the provider outside of transactions: an answer that is older than the one stored is dropped.
CREATE SEQUENCE billing_read_numbers;
CREATE TABLE billing_reads (
  subscription_id text PRIMARY KEY,
  number bigint NOT NULL,
  read_at timestamptz(3) NOT NULL
);
CREATE INDEX billing_reads_read_at_idx ON billing_reads (read_at);
