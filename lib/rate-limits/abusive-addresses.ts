import type { Group } from "@/lib/http/groups";
import { processSingleton } from "@/lib/process-singleton";
import { limitedAddress, limitOf } from "@/lib/rate-limits/limit";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/** A caller without a valid credential is disconnected beyond this multiple of its limit. */
const DISCONNECT_FACTOR = 10;
/** Milliseconds after a valid credential during which new connections from its address are always accepted. */
const VALID_FOR_MS = 10 * 60_000;

interface Seen {
  /** Start of the current minute. */
  since: number;
  refused: number;
  isAbusive: boolean;
  validUntil: number;
}

/** Requests that this process has seen from each address. Times are milliseconds of a monotonic clock. */
export class AbusiveAddresses {
  private readonly seen = new Map<string, Seen>();
  private swept = 0;

  /** Counts a refused request without a valid credential. Returns whether its address exceeds ten times `limit`. */
  refused(address: string, limit: number, now: number): boolean {
    const seen = this.of(address, now);
    if (now - seen.since >= WINDOW_MS) Object.assign(seen, { since: now, refused: 0, isAbusive: false });
    seen.refused++;
    seen.isAbusive ||= seen.refused > limit * DISCONNECT_FACTOR;
    return seen.isAbusive;
  }

  /** Records a valid credential from an address. */
  valid(address: string, now: number): void {
    this.of(address, now).validUntil = now + VALID_FOR_MS;
  }

  /** Whether to refuse new connections from an address: it is abusive, and no valid credential has come from it recently. */
  isBarred(address: string, now: number): boolean {
    const seen = this.seen.get(address);
    return seen?.isAbusive === true && now - seen.since < WINDOW_MS && seen.validUntil <= now;
  }

  private of(address: string, now: number): Seen {
    this.sweep(now);
    let seen = this.seen.get(address);
    if (seen === undefined) {
      seen = { since: now, refused: 0, isAbusive: false, validUntil: 0 };
      this.seen.set(address, seen);
    }
    return seen;
  }

  /** Limits memory to the addresses of the last minutes. */
  private sweep(now: number): void {
    if (now - this.swept < WINDOW_MS) return;
    this.swept = now;
    for (const [address, { since, validUntil }] of this.seen) {
      if (now - since >= WINDOW_MS && validUntil <= now) this.seen.delete(address);
    }
  }
}

const addresses = () => processSingleton("rate-limits.abusive-addresses", () => new AbusiveAddresses());

/** Counts a refused request without a valid credential. Returns whether to disconnect the caller. */
export function countRefused(group: Group, address: string | null): boolean {
  return addresses().refused(limitedAddress(address), limitOf(group), performance.now());
}

/** Counts a request with a valid credential. */
export function countValid(address: string | null): void {
  addresses().valid(limitedAddress(address), performance.now());
}

/** Whether new connections from an address are closed immediately. */
export function isBarred(address: string | null): boolean {
  return addresses().isBarred(limitedAddress(address), performance.now());
}
