import { processSingleton } from "@/lib/process-singleton";

/** Concurrent bulk requests of one organization in one process, and the total bytes of their bodies. */
export const MAX_CONCURRENT = 8;
export const MAX_BYTES = 32 * 1024 * 1024;

interface Taken {
  requests: number;
  bytes: number;
}

/** The bulk requests that each organization has in progress; bulk routes have no rate limit. */
export class BulkSlots {
  private readonly taken = new Map<string, Taken>();

  /** Returns a function that releases the slot (later calls do nothing), or null if the organization has no slot left. */
  take(organizationId: string, bytes: number): (() => void) | null {
    const own = this.taken.get(organizationId) ?? { requests: 0, bytes: 0 };
    if (own.requests >= MAX_CONCURRENT || own.bytes + bytes > MAX_BYTES) return null;
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
