CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
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
  details jsonb,
  tokens text[] NOT NULL,
  written xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (organization_id, retention_days, id)
) PARTITION BY LIST (retention_days);
CREATE INDEX audit_events_organization_id_tokens_idx ON audit_events USING gin (organization_id, tokens);
-- Events become visible in the order of their transactions, not of their ids: what tails the log reads by this.
CREATE INDEX audit_events_organization_id_written_idx ON audit_events (organization_id, written, id);

-- What free text is looked for in; the line breaks keep a match within one field.
CREATE FUNCTION audit_text(path text, query text, user_agent text, error_message text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(path, '') || E'\n' || coalesce(query, '') || E'\n' || coalesce(user_agent, '') || E'\n' || coalesce(error_message, '')
$$;
CREATE INDEX audit_events_organization_id_text_idx ON audit_events
  USING gin (organization_id, audit_text(path, query, user_agent, error_message) gin_trgm_ops);

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
  start timestamptz(3) NOT NULL,
  grain text NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  events bigint NOT NULL,
  peak integer,
  PRIMARY KEY (organization_id, retention_days, grain, dimension, start, value)
) PARTITION BY LIST (retention_days);

-- What a batch of events added to one organization's hour, as parallel arrays: appended by the statement that stores the events,
-- folded into the rollups by the worker. Whoever counts adds both, so the counts are exact at any time.
CREATE TABLE audit_deltas (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  retention_days smallint NOT NULL,
  start timestamptz(3) NOT NULL,
  dimensions text[] NOT NULL,
  "values" text[] NOT NULL,
  events bigint[] NOT NULL,
  peaks integer[] NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_deltas_organization_id_start_idx ON audit_deltas (organization_id, start);

-- A body as text, or null where it is none: not UTF-8, or with a NUL, which PostgreSQL's text cannot hold.
CREATE FUNCTION audit_body_text(body bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN convert_from(body, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN NULL;
END $$;

-- The smallest id an event of that instant can have (RFC 9562: 48 bits of milliseconds lead).
CREATE FUNCTION audit_id_at(instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of one retention class and UTC day, as far as they are missing: a list partition per class, split by
-- day. Attaching locks the parent only against other changes of its shape. True if it made any.
CREATE FUNCTION audit_make_day(days smallint, day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  class text;
  child text;
  lower_bound text;
  upper_bound text;
  made boolean := false;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit_make_day', 0));
  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_bodies', 'audit_rollups'] LOOP
    class := parent || '_' || days;
    child := class || '_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass('partitions.' || quote_ident(child)) IS NOT NULL;
    IF to_regclass('partitions.' || quote_ident(class)) IS NULL THEN
      EXECUTE format('CREATE TABLE partitions.%I PARTITION OF public.%I FOR VALUES IN (%s) PARTITION BY RANGE (%I)',
        class, parent, days, CASE parent WHEN 'audit_rollups' THEN 'start' ELSE 'id' END);
    END IF;
    IF parent = 'audit_rollups' THEN
      lower_bound := (day::timestamp AT TIME ZONE 'UTC')::text;
      upper_bound := ((day + 1)::timestamp AT TIME ZONE 'UTC')::text;
    ELSE
      lower_bound := audit_id_at(day::timestamp AT TIME ZONE 'UTC')::text;
      upper_bound := audit_id_at((day + 1)::timestamp AT TIME ZONE 'UTC')::text;
    END IF;
    EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING DEFAULTS)', child, parent);
    EXECUTE format('ALTER TABLE partitions.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
      class, child, lower_bound, upper_bound);
    made := true;
  END LOOP;
  RETURN made;
END $$;
