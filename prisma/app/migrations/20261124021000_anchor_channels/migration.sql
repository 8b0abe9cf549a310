-- The channels that get the newest checkpoint of the audit log each day, and the last one that each was sent.
CREATE TABLE anchor_channels (
  organization_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  next_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  sent_epoch integer,
  sent_size bigint,
  sent_at timestamptz(3),
  delivery_id uuid,
  PRIMARY KEY (organization_id, channel_id),
  FOREIGN KEY (organization_id, channel_id) REFERENCES notification_channels (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX anchor_channels_next_at_idx ON anchor_channels (next_at);
