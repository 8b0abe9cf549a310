CREATE TABLE notification_channels (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  settings jsonb NOT NULL,
  secrets bytea NOT NULL,
  secret_fields text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  failures integer NOT NULL DEFAULT 0,
  last_sent_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX notification_channels_organization_id_name_key ON notification_channels (organization_id, name);

CREATE TABLE notification_deliveries (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  channel_id uuid NOT NULL,
  key text NOT NULL,
  message jsonb NOT NULL,
  alert_ids uuid[] NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, channel_id) REFERENCES notification_channels (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX notification_deliveries_organization_id_channel_id_id_idx ON notification_deliveries (organization_id, channel_id, id);
CREATE INDEX notification_deliveries_created_at_idx ON notification_deliveries (created_at);
CREATE INDEX notification_deliveries_pending_idx ON notification_deliveries (channel_id, key, id) WHERE status = 'pending';
