import * as contract from "@/lib/analytics/contract";
import { getAnalyticsUptime } from "@/lib/analytics/uptime";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsUptime, getAnalyticsUptime),
);
