-- Events without a method or status that is known have a token for that, so that "all but GET" is asked of the index as well.
UPDATE audit_events SET tokens = tokens || '{m:}'
  WHERE coalesce(method NOT IN ('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), true) AND NOT tokens @> '{m:}';
UPDATE audit_events SET tokens = tokens || '{S:}'
  WHERE coalesce(status_code NOT BETWEEN 100 AND 599, true) AND NOT tokens @> '{S:}';
