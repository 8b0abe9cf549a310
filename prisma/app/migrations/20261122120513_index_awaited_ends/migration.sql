-- In a migration of its own: the columns before needed the whole tables for a moment, this reads them once.
CREATE INDEX uptime_incidents_awaiting_evaluation_idx ON uptime_incidents (organization_id) WHERE awaits_evaluation;
CREATE INDEX certificate_findings_awaiting_evaluation_idx ON certificate_findings (organization_id) WHERE awaits_evaluation;
