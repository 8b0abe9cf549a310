import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { deleteMaintenanceWindow } from "@/lib/uptime/maintenance-windows/delete-maintenance-window";
import { getMaintenanceWindow } from "@/lib/uptime/maintenance-windows/get-maintenance-window";
import { updateMaintenanceWindow } from "@/lib/uptime/maintenance-windows/update-maintenance-window";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getMaintenanceWindow, getMaintenanceWindow),
  door(contract.updateMaintenanceWindow, updateMaintenanceWindow),
  door(contract.deleteMaintenanceWindow, deleteMaintenanceWindow),
);
