import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/maintenance-windows/contract";
import { createMaintenanceWindow } from "@/lib/uptime/maintenance-windows/create-maintenance-window";
import { listMaintenanceWindows } from "@/lib/uptime/maintenance-windows/list-maintenance-windows";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listMaintenanceWindows, listMaintenanceWindows),
  handle(contract.createMaintenanceWindow, createMaintenanceWindow),
);
