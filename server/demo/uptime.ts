import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import type { Principal } from "@/lib/http/principal";
import { findPing } from "@/lib/network/ping";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";
import type { Outcome } from "@/lib/uptime/checks/outcome";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import * as contract from "@/lib/uptime/contract";
import { createMaintenanceWindow as windowContract } from "@/lib/uptime/maintenance-windows/contract";
import { createMaintenanceWindow } from "@/lib/uptime/maintenance-windows/create-maintenance-window";
import { createMonitor } from "@/lib/uptime/monitors/create-monitor";
import { evaluateState } from "@/server/demo/alerts";
import type { Done, Step, When } from "@/server/demo/story";

const DAYS = 30;
/** Constant for the whole month, because uptime is a share of checks. */
const EVERY_MS = 30 * MINUTE_MS;
/** Names under `.example` do not resolve: the demonstration checks its monitors, and keeps the worker from it by a lease. */
const LEASED_UNTIL = new Date("2100-01-01T00:00:00Z");

interface Watched {
  name: string;
  type?: "ping";
  target: string;
  usualMs: number;
  outages: [number, number, Trouble][];
}

/** Which types the monitors have: heartbeats are called. */
const TYPES = ["http", "ping"];

/** One where the machine has a `ping`, without which it could not be created. */
const router: Watched = { name: "Router", type: "ping", target: "router.northwind.example", usualMs: 4, outages: [] };

/** The monitors, their usual response time in milliseconds, and their outages: [hours before now, duration in hours, reason]. */
const watched: Watched[] = [
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
  ...(findPing() === null ? [] : [router]),
];

const troubles = {
  unexpected_status: { detail: "502", statusCode: 502 },
  timeout: { detail: null, statusCode: null },
  tls_failed: { detail: "a certificate has expired", statusCode: null },
} as const;
type Trouble = keyof typeof troubles;

/** Adds the organization's monitors, and checks them for a month. */
export function watchUptime(by: Principal, when: When, now: number, next: () => number, done: Done): Step[] {
  const { organizationId } = by;
  const add = async (index: number, at: number) => {
    const { name, target, type = "http" } = watched[index] ?? {};
    const body = { name, type, target, interval_seconds: EVERY_MS / 1000, tags: ["production"] };
    // Created paused, because creating one checks it.
    await done(at, by, { action: "monitor.create", body }, () =>
      createMonitor(by, contract.createMonitor.body.parse({ ...body, paused: true })),
    );
    await db().uptimeMonitor.updateMany({ where: { organizationId, name: name ?? "" }, data: { pausedAt: null } });
  };
  const window = {
    name: "Database upgrade",
    starts_at: new Date(when(-2, 21)).toISOString(),
    ends_at: new Date(when(-2, 23)).toISOString(),
  };
  const addWindow = async () => {
    await done(when(3, 14), by, { action: "maintenance_window.create", body: window }, () =>
      createMaintenanceWindow(by, windowContract.body.parse(window)),
    );
  };
  const begun = when(DAYS, 9.5);
  const checking = { monitors: [] as readonly Checked[], isTrouble: false };
  const checkAll = async (at: number) => {
    if (checking.monitors.length === 0) checking.monitors = await readMonitors(organizationId);
    const results = checking.monitors.map((monitor) => ({
      ...monitor,
      organizationId,
      outcome: outcomeAt(monitor.name, at, now, next),
    }));
    await recordOutcomes(results);
    const wasTrouble = checking.isTrouble;
    checking.isTrouble = results.some(({ outcome }) => !outcome.ok);
    if (checking.isTrouble || wasTrouble) await evaluateState(organizationId);
  };
  return [
    ...watched.map((_, index) => {
      const at = when(DAYS, 9 + index * 0.05);
      return { at, run: () => add(index, at) };
    }),
    { at: when(3, 14), run: addWindow },
    ...Array.from({ length: Math.ceil((now - begun) / EVERY_MS) }, (_, nth) => {
      const at = begun + nth * EVERY_MS;
      return { at, run: () => checkAll(at) };
    }),
    { at: now, run: () => keepFromWorker({ organizationId, type: { in: TYPES } }) },
  ];
}

interface Checked {
  monitorId: string;
  name: string;
  version: number;
}

async function readMonitors(organizationId: string): Promise<Checked[]> {
  const found = await db().uptimeMonitor.findMany({
    where: { organizationId, type: { in: TYPES } },
    select: { id: true, name: true, version: true },
  });
  return found.map(({ id, ...rest }) => ({ monitorId: id, ...rest }));
}

async function keepFromWorker(where: Prisma.UptimeMonitorWhereInput): Promise<void> {
  await db().uptimeMonitor.updateMany({ where, data: { leasedUntil: LEASED_UNTIL } });
}

/** The outcome of a monitor's check at a time. `now`: what the outages are relative to. */
function outcomeAt(name: string, at: number, now: number, next: () => number): Outcome {
  const { type, usualMs = 100, outages = [] } = watched.find((each) => each.name === name) ?? {};
  const outage = outages.find(([ago, hours]) => at >= now - (ago + hours) * HOUR_MS && at < now - ago * HOUR_MS);
  const usual = { type, usualMs: usualMs * (1 + 0.25 * Math.sin(at / DAY_MS)) };
  return answer(new Date(at), usual, outage?.[2] ?? null, next);
}

/** The monitors to check, by their fictional targets: whatever else people monitor is the worker's. */
const fictional: Prisma.UptimeMonitorWhereInput = {
  organization: { demonstration: true },
  target: { in: watched.map(({ target }) => target) },
  pausedAt: null,
};

/** Checks the monitors of the demonstration again that are due. */
export async function checkAgain(): Promise<void> {
  // A check on request and a change of the settings end the lease.
  await keepFromWorker(fictional);
  const monitors = await db().uptimeMonitor.findMany({
    where: fictional,
    select: { organizationId: true, id: true, target: true, version: true, nextCheckAt: true, intervalSeconds: true },
  });
  const results = monitors.flatMap(({ organizationId, id: monitorId, target, version, ...times }) => {
    const monitor = watched.find((each) => each.target === target);
    if (monitor === undefined || !isDue(times, Date.now())) return [];
    const outcome = answer(new Date(), monitor, troubleNow(monitor), Math.random);
    return { organizationId, monitorId, version, outcome };
  });
  if (results.length === 0) return;
  await recordOutcomes(results);
  await keepFromWorker(fictional);
}

/** Whether a monitor is checked at `now` (Unix milliseconds). */
export function isDue(times: { nextCheckAt: Date; intervalSeconds: number }, now: number): boolean {
  const waitMs = times.nextCheckAt.getTime() - now;
  // An earlier release kept the worker away by a next check in 30 days.
  return waitMs <= 0 || waitMs > 2 * times.intervalSeconds * 1000;
}

/** The trouble of the outage that has not ended, whatever checks on request have found since. */
function troubleNow({ outages }: (typeof watched)[number]): Trouble | null {
  return outages.find(([ago]) => ago === 0)?.[2] ?? null;
}

/** The outcome of a check. Most responses take about the usual time, some take much longer. */
function answer(
  at: Date,
  { type, usualMs }: { type?: Watched["type"] | undefined; usualMs: number },
  trouble: Trouble | null,
  next: () => number,
): Outcome {
  const totalUs = Math.round(usualMs * 1000 * (0.8 + 0.4 * next() + (next() < 0.03 ? 2 * next() : 0)));
  const took = { dnsUs: Math.round(totalUs * 0.08), connectUs: Math.round(totalUs * 0.2) };
  const known = { at, address: "192.0.2.80", ...took };
  if (type === "ping") {
    const none = { connectUs: null, tlsUs: null, ttfbUs: null, statusCode: null };
    return { ...known, ...none, ok: true, reason: null, detail: null, totalUs };
  }
  if (trouble === null) {
    const phases = { tlsUs: Math.round(totalUs * 0.31), ttfbUs: Math.round(totalUs * 0.37), totalUs };
    return { ...known, ...phases, ok: true, reason: null, detail: null, statusCode: 200 };
  }
  return { ...known, ok: false, reason: trouble, ...troubles[trouble], tlsUs: null, ttfbUs: null, totalUs };
}
