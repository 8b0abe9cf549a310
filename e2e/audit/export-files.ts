import { createHash } from "node:crypto";
import { expect } from "vitest";
import { type Opened, open } from "@/e2e/audit/open";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";
import { unlessBusy, until } from "@/e2e/support/until";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";

/** Requests a file and returns after its head; the test decides when to read its rows. */
export function exportOf(server: Sealwatch, who: SignedIn, options: Record<string, string>): Promise<Opened> {
  return open(server.url, `/audit-logs/export?${new URLSearchParams(options)}`, { cookie: who.cookie });
}

/** The same on the shared server, where other suites export too. */
export function exportWhenFree(server: Sealwatch, who: SignedIn, options: Record<string, string>): Promise<Opened> {
  return unlessBusy(async () => {
    const opened = await exportOf(server, who, options);
    if (opened.status === 503) opened.leave();
    return opened;
  });
}

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** The event of the export's end. */
export function finishOf(server: Sealwatch, { requestId }: Opened): Promise<AuditRow> {
  return until("the end of the export is on record", async () => {
    const [row] = await query<AuditRow & Record<string, unknown>>(
      server,
      "audit",
      "SELECT * FROM audit_events WHERE action = 'audit_log.export_finished' AND resource_id = $1",
      [requestId],
    );
    return row;
  });
}

/** The events and the trailer of an NDJSON file, and the bytes that the trailer covers. */
export function parseNdjson(bytes: Buffer): { events: AuditEventWithBody[]; trailer: unknown; content: Buffer } {
  const text = bytes.toString("utf8");
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.slice(0, -1).split("\n");
  const trailer = lines.at(-1) ?? "";
  const content = bytes.subarray(0, bytes.length - Buffer.byteLength(trailer) - 1);
  return { events: lines.slice(0, -1).map((line) => JSON.parse(line)), trailer: JSON.parse(trailer), content };
}
