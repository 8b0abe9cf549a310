import * as contract from "@/lib/analytics/contract";
import { getAnalyticsMetrics } from "@/lib/analytics/metrics";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getAnalyticsMetrics, getAnalyticsMetrics),
);
