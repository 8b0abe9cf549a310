import { log } from "@/lib/log";

/** An organization's targets: their number, and how many have failed recently. */
export interface Failures {
  seen: number;
  failed: number;
}

/** More than this share of an organization's targets, and at least MIN_TARGETS, are a mass failure of that organization. */
const MASS_FAILURE_SHARE = 0.1;
const MIN_TARGETS = 20;
/** Minimum number of affected organizations if they are small: fewer notifications than that do no harm. */
const MIN_ORGANIZATIONS = 50;

/**
 * Organizations whose failures are probably caused by our own network: they have a mass failure, and so do more than half of all large
 * organizations. Each organization counts once, however many targets it has, so that one cannot hold back another's notifications.
 * Many small organizations that fail together, if more than half of all, are held back as well.
 */
export function organizationsInMassFailure(organizations: ReadonlyMap<string, Failures>): Set<string> {
  const all = [...organizations];
  const affected = all.filter(([, { seen, failed }]) => failed > MASS_FAILURE_SHARE * seen);
  if (affected.length >= MIN_ORGANIZATIONS && affected.length > all.length / 2) {
    return new Set(affected.map(([id]) => id));
  }
  const large = all.filter(([, { seen }]) => seen >= MIN_TARGETS);
  const failing = affected.filter(([, { failed }]) => failed >= MIN_TARGETS);
  return new Set(failing.length > large.length / 2 ? failing.map(([id]) => id) : []);
}

/** Tracks the organizations in a mass failure, and logs when the first begins and the last ends. */
export class MassFailureGuard {
  private held: ReadonlySet<string> = new Set();

  /** @param what the failing targets, for the log: `endpoints` */
  constructor(private readonly what: string) {}

  update(organizations: ReadonlyMap<string, Failures>): void {
    const before = this.held.size;
    this.held = organizationsInMassFailure(organizations);
    const figures = { organizations: this.held.size, of: organizations.size };
    if (this.held.size > 0 && before === 0)
      log.error(figures, `many ${this.what} failed at once: holding back their notifications`);
    if (this.held.size === 0 && before > 0)
      log.warn(figures, `the mass failure of ${this.what} has ended: sending notifications again`);
  }

  /** Whether an organization's failures are probably caused by our own network. */
  holds(organizationId: string): boolean {
    return this.held.has(organizationId);
  }
}
