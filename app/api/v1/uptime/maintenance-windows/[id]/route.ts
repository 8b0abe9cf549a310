import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/maintenance-windows/contract";
import { deleteMaintenanceWindow } from "@/lib/uptime/maintenance-windows/delete-maintenance-window";
import { getMaintenanceWindow } from "@/lib/uptime/maintenance-windows/get-maintenance-window";
import { updateMaintenanceWindow } from "@/lib/uptime/maintenance-windows/update-maintenance-window";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getMaintenanceWindow, getMaintenanceWindow),
  handle(contract.updateMaintenanceWindow, updateMaintenanceWindow),
  handle(contract.deleteMaintenanceWindow, deleteMaintenanceWindow),
);
