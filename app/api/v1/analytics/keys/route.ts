import * as contract from "@/lib/analytics/contract";
import { getAnalyticsKeys } from "@/lib/analytics/keys";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getAnalyticsKeys, getAnalyticsKeys),
);
