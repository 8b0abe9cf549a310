import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { bulkCheckMonitors } from "@/lib/uptime/monitors/bulk-check-monitors";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkCheckMonitors, bulkCheckMonitors),
);
