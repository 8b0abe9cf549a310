import { isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";
import { onRead, setGauge } from "@/lib/metrics/metrics";
import { Outage, type OutageReport, SETTLED_MS } from "@/lib/outage";
import { processSingleton } from "@/lib/process-singleton";

/** Dependencies that Sealwatch can do without for some time. */
type Dependency = "the monitoring database" | "the audit database" | "the rate-limit store";

const outages = processSingleton("outages", () => new Map<Dependency, Outage>());
/** Failures although the database is available: all connections are in use, or statements reach their time limits. */
const shortages = processSingleton("outages.shortages", () => new Map<string, Outage>());
/** When a connection to a dependency last failed in this process, by `performance.now()`. */
const lost = processSingleton("outages.lost", () => new Map<Dependency, number>());
/** Dependencies that will be checked again shortly. */
const settling = processSingleton("outages.settling", () => new Set<Dependency>());

/** What this process depends on, by label of the metrics. */
const dependencies = {
  monitoring_database: "the monitoring database",
  audit_database: "the audit database",
  rate_limit_store: "the rate-limit store",
} as const satisfies Record<string, Dependency>;

onRead("outages", () => {
  for (const [dependency, name] of Object.entries(dependencies)) {
    setGauge("sealwatch_dependency_up", { dependency }, outages.get(name)?.isOn ? 0 : 1);
  }
});

function outageOf(dependency: Dependency): Outage {
  const outage = outages.get(dependency) ?? new Outage();
  outages.set(dependency, outage);
  return outage;
}

function write(dependency: Dependency, report: OutageReport | null, fields: object = {}): void {
  if (report === null) return;
  const { state, seconds, failures, counts } = report;
  if (state === "begins") log.error(fields, `${dependency} is unavailable`);
  else if (state === "lasts")
    log.error({ ...fields, seconds, failures, ...counts }, `${dependency} is still unavailable`);
  else log.info({ seconds, failures, ...counts }, `${dependency} is available again`);
}

/** Notes that a connection to a dependency broke, or could not be opened. */
export function noteLost(dependency: Dependency): void {
  lost.set(dependency, performance.now());
}

/** Milliseconds since a connection to a dependency last failed in this process, or since the process began. */
export function msSinceLost(dependency: Dependency): number {
  return performance.now() - (lost.get(dependency) ?? 0);
}

/** Logs that a dependency is unavailable: when the outage begins, then once a minute with counts. */
export function logAway(dependency: Dependency, fields: object): void {
  noteLost(dependency);
  write(dependency, outageOf(dependency).failed(performance.now()), fields);
}

/** Logs that a dependency is available again after an outage. Has no cost otherwise. */
export function logBack(dependency: Dependency): void {
  const outage = outages.get(dependency);
  if (!outage?.isOn) return;
  write(dependency, outage.worked(performance.now()));
  if (!outage.isOn || settling.has(dependency)) return;
  // Without further requests, the end of the outage would never be logged.
  settling.add(dependency);
  setTimeout(() => {
    settling.delete(dependency);
    write(dependency, outage.settle(performance.now()));
  }, SETTLED_MS + 1).unref();
}

/**
 * Logs a failure. During a database outage, it is only counted in the outage's own lines. If the database is available but its
 * connections or time limits are exhausted, the failure is logged once a minute with its count.
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
