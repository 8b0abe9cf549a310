-- Agents that check endpoints inside networks. The previous release knows neither the table nor the column: while it still runs, it
-- checks their endpoints itself. The worker builds the index of the foreign key.
CREATE TABLE certificate_agents (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  api_key_id uuid NOT NULL,
  public_key bytea,
  version text,
  enrolled_at timestamptz(3),
  last_seen_at timestamptz(3),
  last_sequence integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX certificate_agents_organization_id_name_key ON certificate_agents (organization_id, name);
CREATE UNIQUE INDEX certificate_agents_organization_id_api_key_id_key ON certificate_agents (organization_id, api_key_id);
ALTER TABLE certificate_endpoints
  ADD COLUMN agent_id uuid,
  ADD CONSTRAINT certificate_endpoints_organization_id_agent_id_fkey FOREIGN KEY (organization_id, agent_id)
    REFERENCES certificate_agents (organization_id, id) ON DELETE NO ACTION ON UPDATE CASCADE NOT VALID;
