-- Names of API keys, certificates and subjects of alerts in natural order, as those of endpoints and monitors. Names in certificates
-- can have any length, but an index entry cannot: only their beginning is sorted. What was there before has an empty key until it is
-- written the next time: the worker sees to that, and builds the indexes (lib/db/finish-migrations.ts).
ALTER TABLE api_keys ADD COLUMN name_key text NOT NULL DEFAULT '';
ALTER TABLE certificates ADD COLUMN name_key text NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN subject_key text NOT NULL DEFAULT '';

CREATE FUNCTION api_keys_set_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := natural_key(left(NEW.name, 200));
  RETURN NEW;
END $$;

CREATE TRIGGER api_keys_set_name_key BEFORE UPDATE ON api_keys
  FOR EACH ROW WHEN (NEW.name <> OLD.name OR OLD.name_key = '')
  EXECUTE FUNCTION api_keys_set_name_key();
CREATE TRIGGER api_keys_set_name_key_of_new BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION api_keys_set_name_key();

-- The name that people know a certificate by: the common name, otherwise the first name that it covers.
CREATE FUNCTION certificates_set_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := natural_key(left(
    coalesce(nullif(NEW.common_name, ''), nullif(NEW.sans[1], ''), nullif(NEW.subject, ''), NEW.id::text), 200));
  RETURN NEW;
END $$;

CREATE TRIGGER certificates_set_name_key BEFORE UPDATE ON certificates
  FOR EACH ROW WHEN (OLD.name_key = '')
  EXECUTE FUNCTION certificates_set_name_key();
CREATE TRIGGER certificates_set_name_key_of_new BEFORE INSERT ON certificates
  FOR EACH ROW EXECUTE FUNCTION certificates_set_name_key();

CREATE FUNCTION alerts_set_subject_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.subject_key := natural_key(left(coalesce(nullif(NEW.subject_name, ''), NEW.subject_id::text), 200));
  RETURN NEW;
END $$;

CREATE TRIGGER alerts_set_subject_key BEFORE UPDATE ON alerts
  FOR EACH ROW WHEN (NEW.subject_name <> OLD.subject_name OR OLD.subject_key = '')
  EXECUTE FUNCTION alerts_set_subject_key();
CREATE TRIGGER alerts_set_subject_key_of_new BEFORE INSERT ON alerts
  FOR EACH ROW EXECUTE FUNCTION alerts_set_subject_key();
