CREATE TABLE uptime_monitors (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('http', 'tcp')),
  target text NOT NULL,
  method text NOT NULL,
  headers jsonb NOT NULL,
  expected_status text[] NOT NULL,
  expected_text text,
  follow_redirects boolean NOT NULL,
  interval_seconds integer NOT NULL,
  timeout_seconds integer NOT NULL,
  failure_threshold smallint NOT NULL,
  recovery_threshold smallint NOT NULL,
  tags text[] NOT NULL,
  paused_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'up', 'down')),
  status_since timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  successes integer NOT NULL DEFAULT 0,
  last_check jsonb,
  last_checked_at timestamptz(3),
  next_check_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX uptime_monitors_organization_id_name_key ON uptime_monitors (organization_id, name);
CREATE INDEX uptime_monitors_next_check_at_idx ON uptime_monitors (next_check_at);

CREATE SCHEMA IF NOT EXISTS partitions;

CREATE TABLE uptime_checks (
  organization_id uuid NOT NULL,
  monitor_id uuid NOT NULL,
  id uuid NOT NULL,
  ok boolean NOT NULL,
  maintenance boolean NOT NULL,
  reason text,
  detail text,
  status_code smallint,
  address text,
  dns_us integer,
  connect_us integer,
  tls_us integer,
  ttfb_us integer,
  total_us integer NOT NULL,
  PRIMARY KEY (organization_id, monitor_id, id)
) PARTITION BY RANGE (id);

-- Makes the partition of one UTC day if it is missing. Attaching locks the parent only against other changes of its shape.
CREATE FUNCTION uptime_make_day(day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  child text := 'uptime_checks_' || to_char(day, 'YYYYMMDD');
  lower_bound uuid := (lpad(to_hex(extract(epoch FROM day::timestamp)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid;
  upper_bound uuid := (lpad(to_hex(extract(epoch FROM (day + 1)::timestamp)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('uptime_make_day', 0));
  IF to_regclass('partitions.' || child) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.uptime_checks INCLUDING DEFAULTS)', child);
  EXECUTE format('ALTER TABLE public.uptime_checks ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
    child, lower_bound, upper_bound);
  RETURN true;
END $$;

CREATE TABLE uptime_rollups (
  organization_id uuid NOT NULL,
  monitor_id uuid NOT NULL,
  grain text NOT NULL,
  start timestamptz(3) NOT NULL,
  checks integer NOT NULL,
  failures integer NOT NULL,
  maintenance integer NOT NULL,
  PRIMARY KEY (organization_id, monitor_id, grain, start),
  FOREIGN KEY (organization_id, monitor_id) REFERENCES uptime_monitors (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);

CREATE TABLE uptime_latencies (
  organization_id uuid NOT NULL,
  monitor_id uuid NOT NULL,
  grain text NOT NULL,
  start timestamptz(3) NOT NULL,
  bucket smallint NOT NULL,
  checks integer NOT NULL,
  PRIMARY KEY (organization_id, monitor_id, grain, start, bucket),
  FOREIGN KEY (organization_id, monitor_id) REFERENCES uptime_monitors (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);

CREATE TABLE uptime_incidents (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  monitor_id uuid NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  reason text NOT NULL,
  detail text,
  note text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, monitor_id) REFERENCES uptime_monitors (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX uptime_incidents_organization_id_monitor_id_started_at_idx ON uptime_incidents (organization_id, monitor_id, started_at);
CREATE UNIQUE INDEX uptime_incidents_open_key ON uptime_incidents (organization_id, monitor_id) WHERE ended_at IS NULL;

CREATE TABLE maintenance_windows (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  monitor_ids uuid[] NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  repeat text NOT NULL DEFAULT 'none' CHECK (repeat IN ('none', 'daily', 'weekly')),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id),
  CHECK (ends_at > starts_at)
);

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  action text NOT NULL,
  key text NOT NULL,
  body_sha256 bytea NOT NULL,
  answer jsonb,
  claimed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, action, key)
);
CREATE INDEX idempotency_keys_claimed_at_idx ON idempotency_keys (claimed_at);
