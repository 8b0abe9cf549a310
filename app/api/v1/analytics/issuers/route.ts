import * as contract from "@/lib/analytics/contract";
import { getAnalyticsIssuers } from "@/lib/analytics/issuers";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsIssuers, getAnalyticsIssuers),
);
