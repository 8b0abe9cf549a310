import { processSingleton } from "@/lib/process-singleton";

/** Bulk requests of one organization that one process works on at once, and the bytes of their bodies. */
export const MAX_AT_ONCE = 8;
export const MAX_BYTES = 32 * 1024 * 1024;

interface Taken {
  requests: number;
  bytes: number;
}

/** What organizations have under way on bulk routes, which no rate limit holds back. */
export class BulkSlots {
  private readonly taken = new Map<string, Taken>();

  /** A function that gives the slot back, at its first call; null where the organization has none left. */
  take(organizationId: string, bytes: number): (() => void) | null {
    const own = this.taken.get(organizationId) ?? { requests: 0, bytes: 0 };
    if (own.requests >= MAX_AT_ONCE || own.bytes + bytes > MAX_BYTES) return null;
    own.requests++;
    own.bytes += bytes;
    this.taken.set(organizationId, own);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      own.requests--;
      own.bytes -= bytes;
      if (own.requests === 0) this.taken.delete(organizationId);
    };
  }
}

/** This process's slots. */
export function bulkSlots(): BulkSlots {
  return processSingleton("api.bulk-slots", () => new BulkSlots());
}
