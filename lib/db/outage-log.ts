import { isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";
import { Outage, type OutageReport, SETTLED_MS } from "@/lib/outage";
import { processSingleton } from "@/lib/process-singleton";

/** What Sealwatch depends on and goes on without. */
export type Dependency = "the monitoring database" | "the audit database" | "the rate limits' store";

const outages = processSingleton("outages", () => new Map<Dependency, Outage>());
/** Failures for want of a database that is there: its connections are taken, or its statements run into their time limits. */
const shortages = processSingleton("outages.shortages", () => new Map<string, Outage>());
/** Dependencies that will be looked at again shortly. */
const settling = processSingleton("outages.settling", () => new Set<Dependency>());

function outageOf(dependency: Dependency): Outage {
  const outage = outages.get(dependency) ?? new Outage();
  outages.set(dependency, outage);
  return outage;
}

function write(dependency: Dependency, report: OutageReport | null, fields: object = {}): void {
  if (report === null) return;
  const { state, seconds, failures, counts } = report;
  if (state === "begins") log.error(fields, `${dependency} is away`);
  else if (state === "lasts") log.error({ ...fields, seconds, failures, ...counts }, `${dependency} is still away`);
  else log.info({ seconds, failures, ...counts }, `${dependency} is back`);
}

/** Logs that a dependency cannot be used: once when that begins, then once a minute with counts. */
export function logAway(dependency: Dependency, fields: object): void {
  write(dependency, outageOf(dependency).failed(performance.now()), fields);
}

/** Logs that a dependency is back, if it was away. Costs nothing otherwise. */
export function logBack(dependency: Dependency): void {
  const outage = outages.get(dependency);
  if (!outage?.isOn) return;
  write(dependency, outage.worked(performance.now()));
  if (!outage.isOn || settling.has(dependency)) return;
  // Where nobody asks again the end would never be logged.
  settling.add(dependency);
  setTimeout(() => {
    settling.delete(dependency);
    write(dependency, outage.settle(performance.now()));
  }, SETTLED_MS + 1).unref();
}

/**
 * Logs that something failed. For want of a database it is counted in that outage's own lines instead; where no database is away but
 * its connections are taken or its time limits reached, it is logged once a minute with their number.
 * @param what a short sentence, the same each time
 */
export function logFailure(what: string, error: unknown, fields: object = {}): void {
  if (!isUnavailable(error)) return void log.error({ err: error, ...fields }, what);
  const now = performance.now();
  const away = [...outages].filter(([, outage]) => outage.isOn);
  for (const [dependency, outage] of away) write(dependency, outage.count(what, now));
  if (away.length > 0) return;
  const which = "job" in fields ? `${what}: ${fields.job}` : what;
  const shortage = shortages.get(which) ?? new Outage();
  shortages.set(which, shortage);
  const report = shortage.failed(now);
  if (report !== null) log.error({ err: error, ...fields, failures: report.failures }, what);
}
