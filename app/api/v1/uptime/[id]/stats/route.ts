import { handle, route } from "@/lib/api/route";
import { getUptimeStats } from "@/lib/uptime/monitors/stats";
import * as contract from "@/lib/uptime/stats-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getUptimeStats, getUptimeStats));
