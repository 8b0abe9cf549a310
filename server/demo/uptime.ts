import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import type { Outcome } from "@/lib/uptime/checks/outcome";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import * as contract from "@/lib/uptime/contract";
import { createMaintenanceWindow as windowContract } from "@/lib/uptime/maintenance-windows/contract";
import { createMaintenanceWindow } from "@/lib/uptime/maintenance-windows/create-maintenance-window";
import { createMonitor } from "@/lib/uptime/monitors/create-monitor";
import type { Done } from "@/server/demo/certificates";
import type { When } from "@/server/demo/story";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
/** Constant for the whole month, because uptime is a share of checks. */
const EVERY_MS = 30 * MINUTE_MS;
/** Names under `.example` do not resolve, so the worker must not check them while the demonstration runs. */
const NEXT_CHECK_MS = 30 * DAY_MS;

/** The monitors, their usual response time in milliseconds, and their outages: [hours before now, duration in hours, reason]. */
const watched: { name: string; target: string; usualMs: number; outages: [number, number, Trouble][] }[] = [
  {
    name: "Shop",
    target: "https://shop.northwind.example/health",
    usualMs: 92,
    outages: [[205, 1.6, "unexpected_status"]],
  },
  { name: "API", target: "https://api.northwind.example/health", usualMs: 41, outages: [] },
  { name: "Sign-in", target: "https://login.northwind.example/", usualMs: 128, outages: [[411, 2.2, "timeout"]] },
  { name: "Status page", target: "https://status.northwind.example/", usualMs: 63, outages: [] },
  { name: "Images", target: "https://cdn.northwind.example/pixel.gif", usualMs: 18, outages: [] },
  { name: "Intranet", target: "https://intranet.northwind.example/", usualMs: 210, outages: [[0, 48, "tls_failed"]] },
];

const troubles = {
  unexpected_status: { detail: "It answered 502.", statusCode: 502 },
  timeout: { detail: "No answer within 10 seconds.", statusCode: null },
  tls_failed: { detail: "The certificate has expired.", statusCode: null },
} as const;
type Trouble = keyof typeof troubles;

/** Adds the organization's monitors with a month of checks. */
export async function watchUptime(
  by: Principal,
  when: When,
  now: number,
  next: () => number,
  done: Done,
): Promise<void> {
  const { organizationId } = by;
  const ids: string[] = [];
  for (const [index, { name, target }] of watched.entries()) {
    const body = { name, type: "http", target, interval_seconds: EVERY_MS / 1000, paused: true, tags: ["production"] };
    const at = when(DAYS, 9 + index * 0.05);
    const { id } = await done(at, by, { action: "monitor.create", body }, () =>
      createMonitor(by, contract.createMonitor.body.parse(body)),
    );
    await db().uptimeMonitor.update({
      where: { organizationId_id: { organizationId, id } },
      data: { createdAt: new Date(at) },
    });
    ids.push(id);
  }
  const window = {
    name: "Database upgrade",
    starts_at: new Date(when(-2, 21)).toISOString(),
    ends_at: new Date(when(-2, 23)).toISOString(),
  };
  await done(when(3, 14), by, { action: "maintenance_window.create", body: window }, () =>
    createMaintenanceWindow(by, windowContract.body.parse(window)),
  );
  const monitors = await db().uptimeMonitor.findMany({
    where: { organizationId },
    select: { id: true, version: true },
  });
  const versions = new Map(monitors.map(({ id, version }) => [id, version]));
  for (let at = when(DAYS, 9.5); at < now; at += EVERY_MS) {
    const results = watched.map(({ usualMs, outages }, index) => {
      const outage = outages.find(([ago, hours]) => at >= now - (ago + hours) * HOUR_MS && at < now - ago * HOUR_MS);
      const monitorId = ids[index] ?? "";
      const outcome = answer(new Date(at), usualMs * (1 + 0.25 * Math.sin(at / DAY_MS)), outage?.[2] ?? null, next);
      return { organizationId, monitorId, version: versions.get(monitorId) ?? 1, outcome };
    });
    await recordOutcomes(results);
  }
  // They were paused until now, so that no worker checked them.
  await db().uptimeMonitor.updateMany({
    where: { organizationId },
    data: { pausedAt: null, nextCheckAt: new Date(now + NEXT_CHECK_MS) },
  });
}

/** The outcome of a check. Most responses take about the usual time, some take much longer. */
function answer(at: Date, usualMs: number, trouble: Trouble | null, next: () => number): Outcome {
  const totalUs = Math.round(usualMs * 1000 * (0.8 + 0.4 * next() + (next() < 0.03 ? 2 * next() : 0)));
  const took = { dnsUs: Math.round(totalUs * 0.08), connectUs: Math.round(totalUs * 0.2) };
  const known = { at, address: "192.0.2.80", ...took };
  if (trouble === null) {
    const phases = { tlsUs: Math.round(totalUs * 0.31), ttfbUs: Math.round(totalUs * 0.37), totalUs };
    return { ...known, ...phases, ok: true, reason: null, detail: null, statusCode: 200 };
  }
  return { ...known, ok: false, reason: trouble, ...troubles[trouble], tlsUs: null, ttfbUs: null, totalUs };
}
