import { handle, route } from "@/lib/api/route";
import { bulkCheckMonitors } from "@/lib/uptime/monitors/bulk-check-monitors";
import * as contract from "@/lib/uptime/monitors/bulk-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkCheckMonitors, bulkCheckMonitors),
);
