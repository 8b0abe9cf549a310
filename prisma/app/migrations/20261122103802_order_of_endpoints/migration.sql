-- What endpoints are sorted by, as columns of their own table, so that an index can sort them: how urgent their status is, and when
-- their certificate expires (the last moment of 9999 without one, as RFC 5280 4.1.2.5 writes it). Triggers keep both, because the
-- previous release writes endpoints too. A certificate's `not_after` never changes. What was there before has urgency 9, after all
-- others, until it is written the next time: the worker sees to that, and builds the indexes (lib/db/finish-migrations.ts).
ALTER TABLE certificate_endpoints
  ADD COLUMN urgency smallint NOT NULL DEFAULT 9,
  ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT '9999-12-31T23:59:59.999Z';

CREATE FUNCTION certificate_endpoints_set_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.urgency := array_position(ARRAY['critical', 'unreachable', 'warning', 'pending', 'info', 'ok'], NEW.status);
  NEW.expires_at := coalesce(
    (SELECT not_after FROM certificates WHERE organization_id = NEW.organization_id AND id = NEW.certificate_id),
    '9999-12-31T23:59:59.999Z'
  );
  RETURN NEW;
END $$;

CREATE TRIGGER certificate_endpoints_set_order BEFORE UPDATE ON certificate_endpoints
  FOR EACH ROW WHEN (NEW.status <> OLD.status OR NEW.certificate_id IS DISTINCT FROM OLD.certificate_id OR OLD.urgency = 9)
  EXECUTE FUNCTION certificate_endpoints_set_order();
CREATE TRIGGER certificate_endpoints_set_order_of_new BEFORE INSERT ON certificate_endpoints
  FOR EACH ROW EXECUTE FUNCTION certificate_endpoints_set_order();
