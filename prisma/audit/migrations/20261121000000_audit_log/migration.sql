CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE SCHEMA IF NOT EXISTS partitions;

CREATE TABLE audit_events (
  organization_id uuid NOT NULL,
  retention_days smallint NOT NULL,
  id uuid NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  method text,
  path text,
  route text,
  query text,
  body_size integer,
  content_type text,
  auth_type text NOT NULL,
  api_key_id uuid,
  api_key_name text,
  api_key_hint text,
  user_id uuid,
  user_name text,
  user_email text,
  status_code smallint,
  response_time_us integer,
  error_code text,
  error_message text,
  ip_address inet,
  user_agent text,
  country text,
  rate_limit_remaining integer,
  flags text[] NOT NULL,
  is_security_event boolean NOT NULL,
  resource_type text,
  resource_id text,
  action text,
  tokens text[] NOT NULL,
  PRIMARY KEY (organization_id, retention_days, id)
) PARTITION BY LIST (retention_days);
CREATE INDEX audit_events_organization_id_tokens_idx ON audit_events USING gin (organization_id, tokens);

CREATE TABLE audit_bodies (
  organization_id uuid NOT NULL,
  retention_days smallint NOT NULL,
  id uuid NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (organization_id, retention_days, id)
) PARTITION BY LIST (retention_days);

CREATE TABLE audit_rollups (
  organization_id uuid NOT NULL,
  retention_days smallint NOT NULL,
  hour timestamptz(3) NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (organization_id, retention_days, hour, dimension, value)
) PARTITION BY LIST (retention_days);

-- The smallest id an event of that instant can have (RFC 9562: 48 bits of milliseconds lead).
CREATE FUNCTION audit_id_at(instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- A retention class is a list partition split by day; its default partition takes what no day was made for.
CREATE FUNCTION audit_make_class(days smallint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_bodies', 'audit_rollups'] LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS partitions.%I PARTITION OF public.%I FOR VALUES IN (%s) PARTITION BY RANGE (%I)',
      parent || '_' || days, parent, days, CASE parent WHEN 'audit_rollups' THEN 'hour' ELSE 'id' END);
    EXECUTE format('CREATE TABLE IF NOT EXISTS partitions.%I PARTITION OF partitions.%I DEFAULT',
      parent || '_' || days || '_default', parent || '_' || days);
  END LOOP;
END $$;

-- Makes the partitions of one class and UTC day; rows that the default partition took meanwhile move in. True if it made any.
CREATE FUNCTION audit_make_day(days smallint, day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  child text;
  column_name text;
  lower_bound text;
  upper_bound text;
  made boolean := false;
BEGIN
  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_bodies', 'audit_rollups'] LOOP
    child := parent || '_' || days || '_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass('partitions.' || quote_ident(child)) IS NOT NULL;
    IF parent = 'audit_rollups' THEN
      column_name := 'hour';
      lower_bound := (day::timestamp AT TIME ZONE 'UTC')::text;
      upper_bound := ((day + 1)::timestamp AT TIME ZONE 'UTC')::text;
    ELSE
      column_name := 'id';
      lower_bound := audit_id_at(day::timestamp AT TIME ZONE 'UTC')::text;
      upper_bound := audit_id_at((day + 1)::timestamp AT TIME ZONE 'UTC')::text;
    END IF;
    EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING DEFAULTS)', child, parent);
    EXECUTE format('WITH moved AS (DELETE FROM partitions.%I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO partitions.%I SELECT * FROM moved',
      parent || '_' || days || '_default', column_name, lower_bound, column_name, upper_bound, child);
    EXECUTE format('ALTER TABLE partitions.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
      parent || '_' || days, child, lower_bound, upper_bound);
    made := true;
  END LOOP;
  RETURN made;
END $$;

SELECT audit_make_class(days::smallint) FROM unnest(ARRAY[30, 180, 365, 2555]) AS days;
