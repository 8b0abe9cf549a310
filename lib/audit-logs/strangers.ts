import type { Recording } from "@/lib/audit-logs/recording";
import { NOBODY } from "@/lib/ids";
import { once } from "@/lib/once";

/** The largest body that is kept of a request without an organization, and how much of them one process keeps an hour; in bytes. */
export const LARGEST_KEPT = 64 * 1024;
export const MOST_AN_HOUR = 16 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** How much was kept of strangers' bodies in the hour that runs. Time is an argument: Unix milliseconds. */
export class Allowance {
  private hour = Number.NaN;
  private left = 0;

  take(bytes: number, now: number): boolean {
    const hour = Math.floor(now / HOUR_MS);
    if (hour !== this.hour) {
      this.hour = hour;
      this.left = MOST_AN_HOUR;
    }
    if (bytes > LARGEST_KEPT || bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }
}

/**
 * Leaves the body out of an event that belongs to nobody where it is large, was past the limit, or strangers had the hour's allowance
 * already: whoever has no key could fill the disk with them. Its size stays; what is kept is whole.
 */
export function boundStranger(event: Recording): void {
  if (event.row.organization_id !== NOBODY || event.body === null) return;
  const allowance = once("audit-logs.strangers", () => new Allowance());
  const isPastLimit = event.row.flags.includes("rate_limited");
  if (isPastLimit || !allowance.take(event.body.length, Date.now())) event.body = null;
}
