-- Events are counted by key from now on (lib/audit-logs/dimensions.ts); these are the counts of what was stored before.
INSERT INTO audit_rollups (organization_id, retention_days, start, grain, dimension, value, events, peak)
SELECT organization_id, retention_days, date_trunc('day', occurred_at, 'UTC'), 'day', concat(kind, ':', api_key_id), value,
  count(*), max(peak)
FROM audit_events CROSS JOIN LATERAL (
  VALUES ('key_use', concat(status_code, ' ', method, ' ', route), -rate_limit_remaining),
    ('key_origin', concat(host(ip_address), ' ', country, ' ',
      CASE WHEN 'rotated_secret' = ANY (flags) THEN api_key_hint END), NULL)
  UNION ALL SELECT 'key_flag', flag, NULL FROM unnest(flags) AS flag
) AS counted (kind, value, peak)
WHERE api_key_id IS NOT NULL
GROUP BY 1, 2, 3, 5, 6;
