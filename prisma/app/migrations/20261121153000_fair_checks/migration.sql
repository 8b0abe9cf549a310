-- What is due is taken in turns from the organizations that have something due.
CREATE INDEX certificate_endpoints_organization_id_next_check_at_idx ON certificate_endpoints (organization_id, next_check_at);
DROP INDEX certificate_endpoints_next_check_at_idx;
-- Whether many turned unreachable at once is known to the process that checks them.
DROP INDEX certificate_endpoints_failing_since_idx;
