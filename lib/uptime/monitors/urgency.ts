import type { MonitorStatus } from "@/lib/uptime/contract";

/** Statuses by urgency. A trigger writes the position in this list, from 1, to `uptime_monitors.urgency`. */
export const byUrgency: readonly MonitorStatus[] = ["down", "pending", "up", "paused"];
