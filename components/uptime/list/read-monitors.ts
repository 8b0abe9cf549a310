import type { Input, Page } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { readUptimeDays, type UptimeDay } from "@/lib/uptime/checks/days";
import type { listMonitors as contract, Monitor } from "@/lib/uptime/contract";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";

const DAYS = 30;

/** A monitor with its last 30 UTC days, oldest first. */
export interface ListedMonitor extends Monitor {
  days: UptimeDay[];
}

/** A page of the list of monitors, each with its last days. */
export async function readMonitors(principal: Principal, asked: Input<typeof contract>): Promise<Page<ListedMonitor>> {
  const { items, nextCursor } = await listMonitors(principal, asked);
  const ids = items.map(({ id }) => id);
  const days = await readUptimeDays(principal, ids, DAYS);
  return { items: items.map((monitor) => ({ ...monitor, days: days.get(monitor.id) ?? [] })), nextCursor };
}
