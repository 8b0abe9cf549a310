/**
 * SQL: since when web processes, which agents and jobs of others call, have run and used the database without a pause of two minutes; null
 * if none does now. After an outage of Sealwatch silence counts from then.
 */
export const WEB_STEADY_SINCE = `(SELECT min(coalesce(steady_since, started_at)) FROM processes
  WHERE kind = 'web' AND seen_at > now() - interval '2 minutes')`;
