import { log } from "@/lib/log";

const MINUTE_MS = 60_000;
/** What a process saw in this time is what it judges by. */
const WINDOW_MS = 5 * MINUTE_MS;
/** More than this share of what was checked, and at least so many, is more likely our own network than theirs. */
const SHARE = 0.1;
const LEAST = 20;
/** Trouble is held back for so long at most, counted from its first sign. */
const LONGEST_HOLD_MS = 30 * MINUTE_MS;

/**
 * Notices when many endpoints that could be reached turn unreachable at once. That is then told to the operator, in the log, while the
 * findings wait: nobody is helped by thousands of messages about an uplink of ours. Knows what one process checks, which is a sample.
 */
export class Valve {
  private readonly seen = new Map<string, { at: number; isTurned: boolean }>();
  /** How many of them have turned. */
  private turned = 0;
  private isClosed = false;

  /** Notes what a check showed: `isTurned` if the endpoint could be reached before and cannot now. */
  note(id: string, at: Date, isTurned: boolean): void {
    // Forgotten first, so that the oldest stand first.
    this.forget(id);
    this.seen.set(id, { at: at.getTime(), isTurned });
    if (isTurned) this.turned++;
  }

  /** Whether trouble that began at `since` is not to be told yet. */
  holds(since: Date, now: Date): boolean {
    return this.update(now) && now.getTime() - since.getTime() < LONGEST_HOLD_MS;
  }

  private update(now: Date): boolean {
    for (const [id, { at }] of this.seen) {
      if (at > now.getTime() - WINDOW_MS) break;
      this.forget(id);
    }
    const isMany = this.turned >= LEAST && this.turned > SHARE * this.seen.size;
    if (isMany !== this.isClosed) {
      this.isClosed = isMany;
      const figures = { unreachable: this.turned, checked: this.seen.size, minutes: WINDOW_MS / MINUTE_MS };
      if (isMany) log.error(figures, "many endpoints turned unreachable at once: their findings are held back");
      else log.warn(figures, "endpoints can be reached again: findings are no longer held back");
    }
    return isMany;
  }

  private forget(id: string): void {
    if (this.seen.get(id)?.isTurned) this.turned--;
    this.seen.delete(id);
  }
}
