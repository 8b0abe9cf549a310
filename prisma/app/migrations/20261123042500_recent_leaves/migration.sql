-- Which certificates the last checks of an endpoint saw, while that is more than one. The previous release leaves it as it is.
ALTER TABLE certificate_endpoints ADD COLUMN recent_leaves jsonb;
