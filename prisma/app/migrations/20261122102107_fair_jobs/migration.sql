-- What is due is leased in fair shares by organization, as endpoints are already. A million monitors take about a second.
CREATE INDEX uptime_monitors_organization_id_next_check_at_idx ON uptime_monitors (organization_id, next_check_at);
DROP INDEX uptime_monitors_next_check_at_idx;
-- Which went down lately, asked every few seconds.
CREATE INDEX uptime_monitors_down_idx ON uptime_monitors (status_since) WHERE status = 'down';

CREATE INDEX domain_sources_organization_id_source_next_run_at_idx ON domain_sources (organization_id, source, next_run_at);
DROP INDEX domain_sources_next_run_at_idx;
