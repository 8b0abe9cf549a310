CREATE TABLE alert_rules (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  selector jsonb NOT NULL,
  condition jsonb NOT NULL,
  steps jsonb NOT NULL,
  repeat_minutes integer,
  resolve_after_minutes integer NOT NULL,
  send_resolved boolean NOT NULL,
  quiet_hours jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX alert_rules_organization_id_name_key ON alert_rules (organization_id, name);

CREATE TABLE alerts (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  rule_id uuid NOT NULL,
  rule_name text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  subject_name text NOT NULL,
  certificate_id uuid,
  step smallint NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  causes text[] NOT NULL,
  detail text NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  absent_since timestamptz(3),
  acknowledged_at timestamptz(3),
  acknowledged_by text,
  snoozed_until timestamptz(3),
  resolved_at timestamptz(3),
  resolved_by text CHECK (resolved_by IN ('cause', 'person', 'rule')),
  memory jsonb NOT NULL,
  live boolean NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX alerts_open_key ON alerts (organization_id, rule_id, subject_id, certificate_id) NULLS NOT DISTINCT
  WHERE resolved_at IS NULL;
CREATE INDEX alerts_live_idx ON alerts (organization_id) WHERE live;
CREATE INDEX alerts_organization_id_rule_id_resolved_at_idx ON alerts (organization_id, rule_id, resolved_at);
CREATE INDEX alerts_organization_id_subject_id_idx ON alerts (organization_id, subject_id);

CREATE TABLE alert_entries (
  organization_id uuid NOT NULL,
  alert_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  actor text,
  details jsonb NOT NULL,
  PRIMARY KEY (organization_id, alert_id, id),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE alert_evaluations (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  next_at timestamptz(3) NOT NULL,
  events_place jsonb
);
CREATE INDEX alert_evaluations_next_at_idx ON alert_evaluations (next_at);
