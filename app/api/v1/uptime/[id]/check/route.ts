import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { checkMonitor } from "@/lib/uptime/monitors/check-monitor";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.checkMonitor, checkMonitor));
