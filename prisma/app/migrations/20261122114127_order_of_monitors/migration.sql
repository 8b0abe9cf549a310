-- How urgent a monitor's state is, kept and filled in as that of endpoints is (20261122103802_order_of_endpoints).
ALTER TABLE uptime_monitors ADD COLUMN urgency smallint NOT NULL DEFAULT 9;

CREATE FUNCTION uptime_monitors_set_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.urgency := array_position(ARRAY['down', 'pending', 'up', 'paused'], CASE WHEN NEW.paused_at IS NULL THEN NEW.status ELSE 'paused' END);
  RETURN NEW;
END $$;

CREATE TRIGGER uptime_monitors_set_order BEFORE UPDATE ON uptime_monitors
  FOR EACH ROW WHEN (NEW.status <> OLD.status OR (NEW.paused_at IS NULL) <> (OLD.paused_at IS NULL) OR OLD.urgency = 9)
  EXECUTE FUNCTION uptime_monitors_set_order();
CREATE TRIGGER uptime_monitors_set_order_of_new BEFORE INSERT ON uptime_monitors
  FOR EACH ROW EXECUTE FUNCTION uptime_monitors_set_order();
