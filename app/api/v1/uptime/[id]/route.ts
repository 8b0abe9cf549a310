import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { deleteMonitor } from "@/lib/uptime/monitors/delete-monitor";
import { getMonitor } from "@/lib/uptime/monitors/get-monitor";
import { updateMonitor } from "@/lib/uptime/monitors/update-monitor";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getMonitor, getMonitor),
  handle(contract.updateMonitor, updateMonitor),
  handle(contract.deleteMonitor, deleteMonitor),
);
