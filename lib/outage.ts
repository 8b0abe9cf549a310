/** How often an outage that lasts is logged, in milliseconds. */
const REPEAT_MS = 60_000;
/** What fails and works by turns has not come back: it has to work for so long after its last failure, in milliseconds. */
export const SETTLED_MS = 500;

/** What is to be logged now: that an outage begins, lasts or has ended. */
export interface OutageReport {
  state: "begins" | "lasts" | "ends";
  /** Since it began. */
  seconds: number;
  /** How often the dependency failed since it began. */
  failures: number;
  /** What could not be done since it began, and how often. */
  counts: Readonly<Record<string, number>>;
}

/** Decides when an outage of one dependency is logged: at its begin, once a minute, and at its end. Times are in milliseconds. */
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

  /** Something could not be done at `now` because of it. */
  count(what: string, now: number): OutageReport | null {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    return this.reportInTime(now);
  }

  /** The dependency worked at `now`. */
  worked(now: number): OutageReport | null {
    this.lastSuccess = now;
    return this.settle(now);
  }

  /** Ends the outage if the dependency has worked since it failed last, and that was long enough before `now`. */
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
