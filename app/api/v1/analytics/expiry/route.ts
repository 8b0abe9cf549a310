import * as contract from "@/lib/analytics/contract";
import { getAnalyticsExpiry } from "@/lib/analytics/expiry";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsExpiry, getAnalyticsExpiry),
);
