/** How often an ongoing outage is logged, in milliseconds. */
const REPEAT_MS = 60_000;
/** How long a dependency must work after its last failure before the outage ends, so that flapping does not end it; in milliseconds. */
export const SETTLED_MS = 500;

/** A log entry that is due: an outage begins, continues or ends. */
export interface OutageReport {
  state: "begins" | "lasts" | "ends";
  /** Since the outage began. */
  seconds: number;
  /** How often the dependency failed since the outage began. */
  failures: number;
  /** Operations that could not be completed since the outage began, with counts. */
  counts: Readonly<Record<string, number>>;
}

/** Decides when to log an outage of one dependency: when it begins, once a minute, and when it ends. Times are in milliseconds. */
export class Outage {
  private begun: number | null = null;
  private lastFailure = 0;
  private lastSuccess = 0;
  private lastReport = 0;
  private failures = 0;
  private counts: Record<string, number> = {};

  get isOn(): boolean {
    return this.begun !== null;
  }

  /** The dependency failed at `now`. */
  failed(now: number): OutageReport | null {
    this.lastFailure = now;
    if (this.begun === null) {
      this.begun = this.lastReport = now;
      this.failures = 1;
      this.counts = {};
      return this.report("begins", now);
    }
    this.failures++;
    return this.reportInTime(now);
  }

  /** An operation could not be completed at `now` because of the outage. */
  count(what: string, now: number): OutageReport | null {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    return this.reportInTime(now);
  }

  /** The dependency worked at `now`. */
  worked(now: number): OutageReport | null {
    this.lastSuccess = now;
    return this.settle(now);
  }

  /** Ends the outage if the dependency has worked since its last failure and the settling time has passed at `now`. */
  settle(now: number): OutageReport | null {
    if (this.begun === null || this.lastSuccess <= this.lastFailure || now - this.lastFailure < SETTLED_MS) return null;
    const report = this.report("ends", now);
    this.begun = null;
    return report;
  }

  private reportInTime(now: number): OutageReport | null {
    if (now - this.lastReport < REPEAT_MS) return null;
    this.lastReport = now;
    return this.report("lasts", now);
  }

  private report(state: OutageReport["state"], now: number): OutageReport {
    const seconds = Math.round((now - (this.begun ?? now)) / 1000);
    return { state, seconds, failures: this.failures, counts: { ...this.counts } };
  }
}
