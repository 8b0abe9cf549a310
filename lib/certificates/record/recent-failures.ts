import { type Failures, MassFailureGuard } from "@/lib/jobs/mass-failure-guard";

const MINUTE_MS = 60_000;
/** What a process saw in this time is what it judges by. */
const WINDOW_MS = 5 * MINUTE_MS;
/** Trouble is held back for so long at most, counted from its first sign. */
const LONGEST_HOLD_MS = 30 * MINUTE_MS;

interface Seen {
  organizationId: string;
  at: number;
  isFailed: boolean;
}

/** What one process has checked lately, which is a sample: whether endpoints that turn unreachable are a mass failure. */
export class RecentFailures {
  private readonly seen = new Map<string, Seen>();
  private readonly organizations = new Map<string, Failures>();
  private readonly guard = new MassFailureGuard("endpoints");

  /** Notes what a check showed: `isFailed` if the endpoint could be reached before and cannot now. */
  note(organizationId: string, id: string, at: Date, isFailed: boolean): void {
    // Removed first, so that the oldest stand first.
    this.remove(id);
    this.seen.set(id, { organizationId, at: at.getTime(), isFailed });
    this.count(organizationId, 1, isFailed);
  }

  /** Judges anew by what was noted, less what is too old. */
  update(now: Date): void {
    for (const [id, { at }] of this.seen) {
      if (at > now.getTime() - WINDOW_MS) break;
      this.remove(id);
    }
    this.guard.update(this.organizations);
  }

  /** Whether an organization's trouble that began at `since` is to be held back yet, as of the last update. */
  holds(organizationId: string, since: Date, now: Date): boolean {
    return this.guard.holds(organizationId) && now.getTime() - since.getTime() < LONGEST_HOLD_MS;
  }

  private remove(id: string): void {
    const known = this.seen.get(id);
    if (known === undefined) return;
    this.seen.delete(id);
    this.count(known.organizationId, -1, known.isFailed);
  }

  private count(organizationId: string, by: 1 | -1, isFailed: boolean): void {
    const before = this.organizations.get(organizationId) ?? { seen: 0, failed: 0 };
    const after = { seen: before.seen + by, failed: before.failed + (isFailed ? by : 0) };
    if (after.seen > 0) this.organizations.set(organizationId, after);
    else this.organizations.delete(organizationId);
  }
}
