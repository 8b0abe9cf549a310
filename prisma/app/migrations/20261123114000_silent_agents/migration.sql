-- When an agent was last seen, once the worker has found it silent.
ALTER TABLE certificate_agents ADD COLUMN silent_since timestamptz(3);
