import * as contract from "@/lib/analytics/contract";
import { getAnalyticsMetrics } from "@/lib/analytics/metrics";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsMetrics, getAnalyticsMetrics),
);
