import { door, route } from "@/lib/api/route";
import { checkMonitor } from "@/lib/uptime/check-monitor";
import * as contract from "@/lib/uptime/contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.checkMonitor, checkMonitor));
