import { NOBODY } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";
import { HOUR_MS } from "@/lib/time/units";

const MIB = 1024 * 1024;
/** Bytes of refused requests' bodies that one process stores per hour. */
export const HOURLY = { organization: 64 * MIB, nobody: 16 * MIB, address: 4 * MIB } as const;

/** The owner of a refused body: its organization and its address, each with a quota. */
export interface Owner {
  organizationId: string;
  /** In the form that rate limits use. */
  address: string;
}

/** Bytes stored of refused requests' bodies in the current hour. Times are Unix milliseconds. */
export class RefusedBodyQuota {
  private hour = Number.NaN;
  private readonly stored = new Map<string, number>();
  private most = 0;

  /** Whether a body of this size could exceed any owner's quota; only then must the owner be determined. */
  isNear(bytes: number, now: number): boolean {
    this.turn(now);
    return this.most + bytes > HOURLY.address;
  }

  hasRoom({ organizationId, address }: Owner, bytes: number, now: number): boolean {
    this.turn(now);
    const ofOrganization = organizationId === NOBODY ? HOURLY.nobody : HOURLY.organization;
    return this.of(organizationId) + bytes <= ofOrganization && this.of(address) + bytes <= HOURLY.address;
  }

  take({ organizationId, address }: Owner, bytes: number, now: number): void {
    this.turn(now);
    for (const key of [organizationId, address]) {
      this.stored.set(key, this.of(key) + bytes);
      this.most = Math.max(this.most, this.of(key));
    }
  }

  private of(key: string): number {
    return this.stored.get(key) ?? 0;
  }

  private turn(now: number): void {
    const hour = Math.floor(now / HOUR_MS);
    if (hour === this.hour) return;
    this.hour = hour;
    this.stored.clear();
    this.most = 0;
  }
}

/** This process's quota. */
export function refusedBodyQuota(): RefusedBodyQuota {
  return processSingleton("audit-logs.refused-body-quota", () => new RefusedBodyQuota());
}
