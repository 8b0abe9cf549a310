import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { createMonitor } from "@/lib/uptime/create-monitor";
import { listMonitors } from "@/lib/uptime/list-monitors";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listMonitors, listMonitors),
  door(contract.createMonitor, createMonitor),
);
