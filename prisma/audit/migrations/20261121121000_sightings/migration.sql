-- Where a key succeeded from, once per origin: an address, an IPv6 /64 or a country. The insert decides which event was the first.
CREATE TABLE audit_sightings (
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  origin text NOT NULL,
  event_id uuid NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, origin)
);

-- What was seen before this table was there is not new.
INSERT INTO audit_sightings
SELECT DISTINCT ON (organization_id, api_key_id, origin) organization_id, api_key_id, origin, id
FROM audit_events, LATERAL (VALUES
  (CASE family(ip_address) WHEN 6 THEN network(set_masklen(ip_address, 64))::text ELSE host(ip_address) END), (country)
) AS origins (origin)
WHERE api_key_id IS NOT NULL AND status_code < 400 AND ip_address IS NOT NULL AND origin IS NOT NULL
ORDER BY organization_id, api_key_id, origin, id;
