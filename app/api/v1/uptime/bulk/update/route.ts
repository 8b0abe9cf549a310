import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/monitors/bulk-contract";
import { bulkUpdateMonitors } from "@/lib/uptime/monitors/bulk-update-monitors";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkUpdateMonitors, bulkUpdateMonitors),
);
