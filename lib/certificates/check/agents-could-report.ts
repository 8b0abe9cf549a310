/** Minutes after which an agent is silent: three times the longest pause between two requests that its program permits. */
export const SILENT_MINUTES = 15;

/**
 * SQL: whether web processes, to which agents report, have run and used the database for as long as an agent may be silent. After an
 * outage of Sealwatch, agents have this time to ask and to send the reports they kept.
 */
export const AGENTS_COULD_REPORT = `EXISTS (SELECT FROM processes WHERE kind = 'web' AND seen_at > now() - interval '2 minutes'
  AND coalesce(steady_since, started_at) <= now() - interval '${SILENT_MINUTES} minutes')`;
