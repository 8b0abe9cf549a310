-- Parts of events that were asked to be redacted, written with the event of the request (request_id). The worker redacts a part once a
-- signed checkpoint covers that event.
CREATE TABLE redaction_requests (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  event_id uuid NOT NULL,
  part text NOT NULL,
  request_id uuid NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  next_at timestamptz(3) NOT NULL,
  redacted_at timestamptz(3),
  PRIMARY KEY (organization_id, event_id, part)
);
CREATE INDEX redaction_requests_due_idx ON redaction_requests (next_at) WHERE redacted_at IS NULL;
