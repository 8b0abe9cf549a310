import { MassFailureGuard, type OrganizationFailures } from "@/lib/jobs/mass-failure-guard";
import { MINUTE_MS } from "@/lib/time/units";

/** Only results of this period count. */
const WINDOW_MS = 5 * MINUTE_MS;
/** The longest time to hold failures back, from the first failure. */
const LONGEST_HOLD_MS = 30 * MINUTE_MS;

/** An organization, and the person for whom it counts (CREATOR_OR_SUCCESSOR), if any. */
interface Owner {
  organizationId: string;
  creator: string | null;
}

interface Seen extends Owner {
  at: number;
  isFailed: boolean;
}

/** The recent checks of one process, as a sample: whether endpoints that became unreachable are a mass failure. */
export class RecentFailures {
  private readonly seen = new Map<string, Seen>();
  private readonly organizations = new Map<string, OrganizationFailures>();
  private readonly guard = new MassFailureGuard("endpoints");

  /** Records a check: `isFailed` if the endpoint was reachable before and is not now. */
  note(owner: Owner, id: string, at: Date, isFailed: boolean): void {
    // Removed first, so that the map is ordered by age.
    this.remove(id);
    this.seen.set(id, { ...owner, at: at.getTime(), isFailed });
    this.count(owner, 1, isFailed);
  }

  /** Judges again without expired results. */
  update(now: Date): void {
    for (const [id, { at }] of this.seen) {
      if (at > now.getTime() - WINDOW_MS) break;
      this.remove(id);
    }
    this.guard.update(this.organizations);
  }

  /** Whether to hold back an organization's failures that began at `since`, as of the last update. */
  holds(organizationId: string, since: Date, now: Date): boolean {
    return this.guard.holds(organizationId) && now.getTime() - since.getTime() < LONGEST_HOLD_MS;
  }

  private remove(id: string): void {
    const known = this.seen.get(id);
    if (known === undefined) return;
    this.seen.delete(id);
    this.count(known, -1, known.isFailed);
  }

  private count({ organizationId, creator }: Owner, by: 1 | -1, isFailed: boolean): void {
    const before = this.organizations.get(organizationId) ?? { seen: 0, failed: 0 };
    const after = { creator, seen: before.seen + by, failed: before.failed + (isFailed ? by : 0) };
    if (after.seen > 0) this.organizations.set(organizationId, after);
    else this.organizations.delete(organizationId);
  }
}
