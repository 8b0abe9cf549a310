import * as contract from "@/lib/analytics/contract";
import { getAnalyticsResponseTimes } from "@/lib/analytics/response-times";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsResponseTimes, getAnalyticsResponseTimes),
);
