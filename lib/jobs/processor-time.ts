import { processSingleton } from "@/lib/process-singleton";

/** Milliseconds of processor time beyond which work counts. Usual work takes less than one, and only what was made to be slow takes more. */
const FREE_MS = 5;
/** The share of a thread that such work of an organization may take in the long run. */
const SHARE = 0.1;
/** Milliseconds for which work may be ahead of that: 3 seconds of processor time at once. */
const AHEAD_MS = 30_000;

/** An organization has used too much processor time; try again later. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/** Milliseconds of this process's processor time. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Limits how long each organization's work keeps a process from everything else: its only thread does one thing at a time. */
export class ProcessorTime {
  /** When all that an organization has used is within its share, in milliseconds. */
  readonly #evenAt = new Map<string, number>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly used: () => number = processorMs,
  ) {}

  /** Does work, which must be synchronous, at the expense of the organization. */
  spend<Result>(organizationId: string, work: () => Result): Result {
    const before = this.used();
    try {
      return work();
    } finally {
      const ms = this.used() - before;
      const evenAt = Math.max(this.now(), this.#evenAt.get(organizationId) ?? 0);
      if (ms > FREE_MS) this.#evenAt.set(organizationId, evenAt + ms / SHARE);
    }
  }

  /** Throws OutOfTime if the organization is too far ahead of its share. */
  require(organizationId: string): void {
    const ahead = (this.#evenAt.get(organizationId) ?? 0) - this.now();
    if (ahead <= 0) this.#evenAt.delete(organizationId);
    if (ahead > AHEAD_MS) throw new OutOfTime();
  }
}

/** Of this process's checks. */
export function processorTime(): ProcessorTime {
  return processSingleton("jobs.processor-time", () => new ProcessorTime());
}
