import * as contract from "@/lib/analytics/contract";
import { getAnalyticsOverview } from "@/lib/analytics/overview";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsOverview, getAnalyticsOverview),
);
