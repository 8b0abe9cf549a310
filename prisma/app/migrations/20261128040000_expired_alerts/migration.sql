-- The default rule about certificate problems left out `expired`, so an expired issuer alerted nobody. Rules with another condition stay.
UPDATE alert_rules SET condition = jsonb_set(condition, '{except_codes}', (condition -> 'except_codes') - 'expired')
WHERE condition = '{
  "type": "finding", "codes": [], "severity": "warning",
  "except_codes": [
    "expires_soon", "expired", "certificate_changed", "unreachable", "dns_failure", "starttls_unsupported", "tls_handshake_failed"
  ]
}';
