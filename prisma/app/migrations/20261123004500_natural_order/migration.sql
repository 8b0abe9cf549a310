-- Names in natural order (`host2` before `host10`), as columns that an index can sort: every number is padded with zeros. Triggers keep
-- them, because the previous release writes these tables too. What was there before has an empty key until it is written the next time:
-- the worker sees to that, and builds the indexes (lib/db/finish-migrations.ts).
CREATE FUNCTION natural_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(
    CASE WHEN part[1] ~ '^[0-9]' THEN lpad(part[1], greatest(length(part[1]), 12), '0') ELSE part[1] END, '' ORDER BY at), '')
  FROM regexp_matches(lower(name), '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS parts (part, at)
$$;

ALTER TABLE certificate_endpoints ADD COLUMN name_key text NOT NULL DEFAULT '';
ALTER TABLE uptime_monitors ADD COLUMN name_key text NOT NULL DEFAULT '';

CREATE FUNCTION certificate_endpoints_set_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := natural_key(NEW.host) || ' ' || lpad(NEW.port::text, 5, '0');
  RETURN NEW;
END $$;

CREATE TRIGGER certificate_endpoints_set_name_key BEFORE UPDATE ON certificate_endpoints
  FOR EACH ROW WHEN (NEW.host <> OLD.host OR NEW.port <> OLD.port OR OLD.name_key = '')
  EXECUTE FUNCTION certificate_endpoints_set_name_key();
CREATE TRIGGER certificate_endpoints_set_name_key_of_new BEFORE INSERT ON certificate_endpoints
  FOR EACH ROW EXECUTE FUNCTION certificate_endpoints_set_name_key();

CREATE FUNCTION uptime_monitors_set_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := natural_key(NEW.name);
  RETURN NEW;
END $$;

CREATE TRIGGER uptime_monitors_set_name_key BEFORE UPDATE ON uptime_monitors
  FOR EACH ROW WHEN (NEW.name <> OLD.name OR OLD.name_key = '')
  EXECUTE FUNCTION uptime_monitors_set_name_key();
CREATE TRIGGER uptime_monitors_set_name_key_of_new BEFORE INSERT ON uptime_monitors
  FOR EACH ROW EXECUTE FUNCTION uptime_monitors_set_name_key();
