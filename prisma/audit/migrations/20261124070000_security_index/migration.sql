-- Groups of security events are read from this index alone. Names are not in it, because they may be too long for an entry. The
-- worker builds it for classes and days that exist already.
CREATE INDEX audit_events_security_idx ON ONLY audit_events (organization_id, id)
  INCLUDE (retention_days, flags, ip_address, country, api_key_id, api_key_hint, user_id) WHERE is_security_event;
