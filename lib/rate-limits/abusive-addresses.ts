import type { Group } from "@/lib/http/groups";
import { processSingleton } from "@/lib/process-singleton";
import { limitedAddress, limitOf } from "@/lib/rate-limits/limit";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/** Past so many times its limit a caller without a valid credential loses its connection. */
const TIMES_THE_LIMIT = 10;
/** For so long after a valid credential came from an address its new connections are accepted whatever else comes from there. */
const VALID_FOR_MS = 10 * 60_000;

interface Seen {
  /** When the minute that is counted began. */
  since: number;
  refused: number;
  isAbusive: boolean;
  validUntil: number;
}

/** What this process has seen of each address. Times in milliseconds of a clock that does not go back. */
export class AbusiveAddresses {
  private readonly seen = new Map<string, Seen>();
  private swept = 0;

  /** Notes a request without a valid credential that was refused, and returns whether its address is past ten times `limit`. */
  refused(address: string, limit: number, now: number): boolean {
    const seen = this.of(address, now);
    if (now - seen.since >= WINDOW_MS) Object.assign(seen, { since: now, refused: 0, isAbusive: false });
    seen.refused++;
    seen.isAbusive ||= seen.refused > limit * TIMES_THE_LIMIT;
    return seen.isAbusive;
  }

  /** Notes that a valid credential came from an address. */
  valid(address: string, now: number): void {
    this.of(address, now).validUntil = now + VALID_FOR_MS;
  }

  /** Whether a new connection of an address is not worth a request: nobody behind it has shown a valid credential lately. */
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

  /** Memory follows the addresses of the last minutes. */
  private sweep(now: number): void {
    if (now - this.swept < WINDOW_MS) return;
    this.swept = now;
    for (const [address, { since, validUntil }] of this.seen) {
      if (now - since >= WINDOW_MS && validUntil <= now) this.seen.delete(address);
    }
  }
}

const addresses = () => processSingleton("rate-limits.abusive-addresses", () => new AbusiveAddresses());

/** Notes a refused request without a valid credential. True when the caller is to lose the connection. */
export function countRefused(group: Group, address: string | null): boolean {
  return addresses().refused(limitedAddress(address), limitOf(group), performance.now());
}

/** Notes a request with a valid credential. */
export function countValid(address: string | null): void {
  addresses().valid(limitedAddress(address), performance.now());
}

/** Whether new connections of an address are closed unread. */
export function isBarred(address: string | null): boolean {
  return addresses().isBarred(limitedAddress(address), performance.now());
}
