-- The response of the check that opened an incident. Kept for the latest incidents of each monitor.
CREATE TABLE uptime_evidence (
  organization_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  content jsonb NOT NULL,
  PRIMARY KEY (organization_id, incident_id),
  FOREIGN KEY (organization_id, incident_id) REFERENCES uptime_incidents (organization_id, id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
