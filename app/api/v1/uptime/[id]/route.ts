import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { deleteMonitor } from "@/lib/uptime/delete-monitor";
import { getMonitor } from "@/lib/uptime/get-monitor";
import { updateMonitor } from "@/lib/uptime/update-monitor";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getMonitor, getMonitor),
  door(contract.updateMonitor, updateMonitor),
  door(contract.deleteMonitor, deleteMonitor),
);
