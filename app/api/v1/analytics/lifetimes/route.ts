import * as contract from "@/lib/analytics/contract";
import { getAnalyticsLifetimes } from "@/lib/analytics/lifetimes";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnalyticsLifetimes, getAnalyticsLifetimes),
);
