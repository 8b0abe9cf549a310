import * as contract from "@/lib/analytics/contract";
import { getAnalyticsRenewals } from "@/lib/analytics/renewals";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsRenewals, getAnalyticsRenewals),
);
