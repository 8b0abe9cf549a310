import type { Finding } from "@/lib/certificates/findings";
import type { Served } from "@/lib/certificates/probe/observation";
import type { IdOf } from "@/lib/certificates/record/record-certificates";
import type { Entry } from "@/lib/certificates/record/record-results";
import { phaseOf } from "@/lib/certificates/record/schedule";
import type { StoredScan } from "@/lib/certificates/scan/judge-scan";
import { DAY_MS } from "@/lib/time/units";

/** The least time between scans of an endpoint that are requested. */
const REST_MS = 60_000;

/** When a requested scan is due: now, unless the endpoint was scanned within the last minute. */
export function soonestScan(dueAt: Date | null): Date | null {
  const at = new Date(dueAt === null ? 0 : dueAt.getTime() - DAY_MS + REST_MS);
  return dueAt !== null && dueAt < at ? dueAt : at;
}

/**
 * When the next scan is due: the first at the endpoint's phase of the day, so that endpoints added together spread out, then daily,
 * and with the next check after the certificate changed.
 */
export function nextScanAt({ row, served, result }: Entry, now: Date): Date | null {
  const { scanDueAt } = result.endpoint;
  if (served === null) return row.tls_scan_due_at;
  const tomorrow = new Date(now.getTime() + DAY_MS);
  if (scanDueAt !== null && scanDueAt <= now) return tomorrow;
  if (scanDueAt === null) return new Date(now.getTime() + phaseOf(row.id) * DAY_MS);
  const { sha256 } = served.chain[0];
  return row.leaf?.sha256 === sha256 || sha256 in (row.tls_scan?.findings ?? {}) ? scanDueAt : now;
}

/** The least time between a scan and an early check for the next one, so that an endpoint that often changes is not checked all the time. */
const BETWEEN_EARLY_MS = 6 * 3_600_000;

/**
 * Whether to check early because a scan is due: the certificate changed, and the last scan saw several, so the others are unknown until
 * the next one. `scanAt` is `nextScanAt` of the entry.
 */
export function isScanUrgent({ row, served, result }: Entry, scanAt: Date | null, now: Date): boolean {
  const { scanDueAt } = result.endpoint;
  if (served === null || scanAt === null || scanAt > now || scanDueAt === null) return false;
  const scannedAt = scanDueAt.getTime() - DAY_MS;
  return Object.keys(row.tls_scan?.findings ?? {}).length > 1 && now.getTime() - scannedAt > BETWEEN_EARLY_MS;
}

/** A scan to be stored, with what `judgeOne` finds of each certificate; null without a new one. */
export function scanRow({ result }: Entry, idOf: IdOf, judgeOne: (served: Served) => Finding[]): StoredScan | null {
  const { endpoint, scanned } = result;
  if (scanned === null) return null;
  const [first] = scanned.seen;
  const leaves = scanned.seen.map((served) => ({ served, leaf: served.chain[0] }));
  return {
    shown: {
      at: first.observedAt.toISOString(),
      address: first.address ?? "",
      ...scanned.taken,
      certificates: leaves.map(({ leaf }) => ({
        id: idOf(endpoint.organizationId, leaf),
        sha256: leaf.sha256,
        key_type: leaf.keyType,
        not_after: leaf.notAfter.toISOString(),
      })),
    },
    findings: Object.fromEntries(leaves.map(({ served, leaf }) => [leaf.sha256, judgeOne(served)])),
  };
}
