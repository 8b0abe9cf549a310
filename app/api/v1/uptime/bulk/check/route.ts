import { door, route } from "@/lib/api/route";
import { bulkCheckMonitors } from "@/lib/uptime/bulk-check-monitors";
import * as contract from "@/lib/uptime/contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.bulkCheckMonitors, bulkCheckMonitors),
);
