-- What an organization pays for at the payment provider, as last read from there.
CREATE TABLE subscriptions (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  customer_id text NOT NULL,
  subscription_id text NOT NULL,
  status text NOT NULL,
  price_id text NOT NULL,
  current_period_end timestamptz(3) NOT NULL,
  cancel_at_period_end boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX subscriptions_customer_id_key ON subscriptions (customer_id);
CREATE UNIQUE INDEX subscriptions_subscription_id_key ON subscriptions (subscription_id);

-- The provider's notices that were taken, so that a repeated one changes nothing.
CREATE TABLE billing_events (
  id text PRIMARY KEY,
  received_at timestamptz(3) NOT NULL
);
CREATE INDEX billing_events_received_at_idx ON billing_events (received_at);
