import type { MonitorStatus } from "@/lib/uptime/contract";

/** What wants attention first. A trigger writes the place in this list, from 1, to `uptime_monitors.urgency`. */
export const byUrgency: readonly MonitorStatus[] = ["down", "pending", "up", "paused"];
