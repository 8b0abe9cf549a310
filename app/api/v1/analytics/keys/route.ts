import * as contract from "@/lib/analytics/contract";
import { getAnalyticsKeys } from "@/lib/analytics/keys";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsKeys, getAnalyticsKeys),
);
