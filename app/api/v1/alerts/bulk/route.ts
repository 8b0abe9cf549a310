import { bulkActOnAlerts } from "@/lib/alerts/bulk-act";
import * as contract from "@/lib/alerts/contract";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkActOnAlerts, bulkActOnAlerts),
);
