import { log } from "@/lib/log";

/** The targets of an organization, or of all that count for one person: their number, and how many have failed recently. */
interface Failures {
  seen: number;
  failed: number;
}

export interface OrganizationFailures extends Failures {
  /** The person for whom the organization counts (CREATOR_OR_SUCCESSOR), if any. */
  creator: string | null;
}

/** More than this share of the targets, and at least MIN_TARGETS, are a mass failure of an organization or a creator. */
const MASS_FAILURE_SHARE = 0.1;
const MIN_TARGETS = 20;
/** Minimum number of affected creators if they are small: fewer notifications than that do no harm. */
const MIN_CREATORS = 50;

const isAffected = ({ seen, failed }: Failures) => failed > MASS_FAILURE_SHARE * seen;

/** The failures of all organizations of each creator together. An organization without one is alone. */
function byCreator(organizations: ReadonlyMap<string, OrganizationFailures>): Failures[] {
  const creators = new Map<string, Failures>();
  for (const [id, { creator, seen, failed }] of organizations) {
    const before = creators.get(creator ?? id) ?? { seen: 0, failed: 0 };
    creators.set(creator ?? id, { seen: before.seen + seen, failed: before.failed + failed });
  }
  return [...creators.values()];
}

/**
 * Organizations whose failures are probably caused by our own network: they have a mass failure, and so do more than half of all large
 * creators. A creator counts once, however many organizations and targets they have, so that one person cannot hold back the
 * notifications of others. Many small ones that fail together, if more than half of all, are held back as well.
 */
export function organizationsInMassFailure(organizations: ReadonlyMap<string, OrganizationFailures>): Set<string> {
  const heldWith = (least: number) =>
    new Set([...organizations].filter(([, each]) => isAffected(each) && each.failed >= least).map(([id]) => id));
  const creators = byCreator(organizations);
  const affected = creators.filter(isAffected);
  if (affected.length >= MIN_CREATORS && affected.length > creators.length / 2) return heldWith(1);
  const large = creators.filter(({ seen }) => seen >= MIN_TARGETS);
  const failing = affected.filter(({ failed }) => failed >= MIN_TARGETS);
  return failing.length > large.length / 2 ? heldWith(MIN_TARGETS) : new Set();
}

/** Tracks the organizations in a mass failure, and logs when the first begins and the last ends. */
export class MassFailureGuard {
  private held: ReadonlySet<string> = new Set();

  /** @param what the failing targets, for the log: `endpoints` */
  constructor(private readonly what: string) {}

  update(organizations: ReadonlyMap<string, OrganizationFailures>): void {
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
