import { log } from "@/lib/log";

/** What is known of an organization's targets: how many there are, and how many of them have failed lately. */
export interface Failures {
  seen: number;
  failed: number;
}

/** More than this share of an organization's targets, and at least so many, are a mass failure of that organization. */
const SHARE = 0.1;
const LEAST_TARGETS = 20;
/** Of organizations with fewer targets each, so many must be concerned: fewer messages than that hurt nobody. */
const LEAST_ORGANIZATIONS = 50;

/**
 * Organizations whose failures are more likely our own network's than theirs: they have a mass failure, and so do more than half of all
 * that are large enough to tell. Each organization counts once, however many targets it has: nobody's targets hold back another's
 * notifications. Many small organizations that fail at once, and more than half of all, are held back as well.
 */
export function organizationsInMassFailure(organizations: ReadonlyMap<string, Failures>): Set<string> {
  const all = [...organizations];
  const concerned = all.filter(([, { seen, failed }]) => failed > SHARE * seen);
  if (concerned.length >= LEAST_ORGANIZATIONS && concerned.length > all.length / 2) {
    return new Set(concerned.map(([id]) => id));
  }
  const large = all.filter(([, { seen }]) => seen >= LEAST_TARGETS);
  const failing = concerned.filter(([, { failed }]) => failed >= LEAST_TARGETS);
  return new Set(failing.length > large.length / 2 ? failing.map(([id]) => id) : []);
}

/** Remembers which organizations are in a mass failure, and tells the operator, in the log, when the first begins and the last ends. */
export class MassFailureGuard {
  private held: ReadonlySet<string> = new Set();

  /** @param what What fails, for the log: `endpoints`. */
  constructor(private readonly what: string) {}

  update(organizations: ReadonlyMap<string, Failures>): void {
    const before = this.held.size;
    this.held = organizationsInMassFailure(organizations);
    const figures = { organizations: this.held.size, of: organizations.size };
    if (this.held.size > 0 && before === 0)
      log.error(figures, `many ${this.what} failed at once: notifications about them are held back`);
    if (this.held.size === 0 && before > 0)
      log.warn(figures, `the mass failure of ${this.what} is over: notifications are no longer held back`);
  }

  /** Whether an organization's failures are more likely ours than its own. */
  holds(organizationId: string): boolean {
    return this.held.has(organizationId);
  }
}
