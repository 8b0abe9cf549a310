import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { createMonitor } from "@/lib/uptime/monitors/create-monitor";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listMonitors, listMonitors),
  handle(contract.createMonitor, createMonitor),
);
