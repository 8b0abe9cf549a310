import type { IncomingHttpHeaders } from "node:http";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { refusedBodyQuota } from "@/lib/audit-logs/write/refused-body-quota";
import {
  announcedSize,
  type Body,
  BodyMemoryReservation,
  LARGEST_BODY,
  LARGEST_BULK_BODY,
  readBody,
} from "@/lib/http/body";
import { bulkSlots } from "@/lib/http/bulk-slots";
import { JsonScanner, MAX_BULK_VALUES, MAX_VALUES } from "@/lib/http/json-scanner";
import { NOBODY } from "@/lib/ids";
import { limitedAddress } from "@/lib/rate-limits/limit";

/** Reads one request's body into memory and into its event, within the limits of memory and storage. */
export class BodyIntake {
  private readonly hold = new BodyMemoryReservation();
  private releaseSlot: (() => void) | null = null;

  constructor(
    private readonly request: Request,
    private readonly method: string,
    private readonly headers: IncomingHttpHeaders,
    private readonly isBulk: boolean,
    private readonly event: AuditEventDraft,
  ) {}

  /**
   * Reads the body, unless a bulk request has no slot, or the request is refused regardless of its body and the storage quota for
   * refused bodies is used up. `isRefused` judges the head and sets the event's organization; judge again afterwards: bodies may be slow.
   */
  async take(isRefused: () => Promise<boolean>): Promise<Body> {
    const largest = this.isBulk ? LARGEST_BULK_BODY : LARGEST_BODY;
    const size = this.method === "GET" ? 0 : (announcedSize(this.headers) ?? largest);
    // A body that is too large is not read in any case.
    const needsNoCheck = size === 0 || size > largest || !(this.isBulk || refusedBodyQuota().isNear(size, Date.now()));
    if (needsNoCheck) return this.read(largest);
    const wasRefused = await isRefused();
    if (this.isWanted(size, wasRefused)) return this.read(largest);
    this.event.row.body_size = announcedSize(this.headers);
    this.event.row.details = { ...this.event.row.details, body_unread: true };
    return { kind: "unread", wasRefused };
  }

  /** Counts the stored body of a refused request. An anonymous body to a public route must be read; beyond the quota it is not stored. */
  settle(isRefused: boolean): void {
    const { body, row } = this.event;
    if (body === null || !(isRefused || row.organization_id === NOBODY)) return;
    const quota = refusedBodyQuota();
    if (isRefused || quota.hasRoom(this.owner, body.length, Date.now())) {
      quota.take(this.owner, body.length, Date.now());
    } else {
      this.event.body = null;
      row.details = { ...row.details, body_omitted: true };
    }
  }

  /** Takes the slot of a bulk request with a body, unless it has one. False if its organization has none left. */
  takeSlot(size: number): boolean {
    if (!this.isBulk || size === 0 || this.releaseSlot !== null) return true;
    this.releaseSlot = bulkSlots().take(this.event.row.organization_id, size);
    return this.releaseSlot !== null;
  }

  /** Releases the memory and the slot when the request ends. */
  release(): void {
    this.hold.release();
    this.releaseSlot?.();
  }

  private isWanted(size: number, isRefused: boolean): boolean {
    if (isRefused) return refusedBodyQuota().hasRoom(this.owner, size, Date.now());
    return this.takeSlot(size);
  }

  private get owner() {
    const { organization_id, ip_address } = this.event.row;
    return { organizationId: organization_id, address: limitedAddress(ip_address) };
  }

  private async read(largest: number): Promise<Body> {
    if (this.method === "GET") return { kind: "read", bytes: Buffer.alloc(0), tooMuch: null };
    const scanner = new JsonScanner(this.isBulk ? MAX_BULK_VALUES : MAX_VALUES);
    const body = await readBody(this.request, this.headers["content-length"], largest, this.hold, scanner);
    if (body.kind === "read") {
      this.event.row.body_size = body.bytes.length;
      this.event.body = body.bytes.length > 0 ? body.bytes : null;
    } else if (body.kind === "too_large" && body.declared !== null) {
      this.event.row.body_size = Math.min(body.declared, 2 ** 31 - 1);
    }
    return body;
  }
}
