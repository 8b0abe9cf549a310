import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { getUptimeStats } from "@/lib/uptime/monitors/stats";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getUptimeStats, getUptimeStats));
