/** Minutes after which an agent is silent: three times the longest pause between two requests that its program permits. */
export const SILENT_MINUTES = 15;

/**
 * SQL: since when web processes, to which certificates are reported, have run and used the database without a pause; null if none does
 * now. After an outage of Sealwatch silence counts from then, so that there is time to report again.
 */
export const REPORTABLE_SINCE = `(SELECT min(coalesce(steady_since, started_at)) FROM processes
  WHERE kind = 'web' AND seen_at > now() - interval '2 minutes')`;

/** SQL: whether agents could ask and send the reports they kept for as long as they may be silent. */
export const AGENTS_COULD_REPORT = `${REPORTABLE_SINCE} <= now() - interval '${SILENT_MINUTES} minutes'`;
