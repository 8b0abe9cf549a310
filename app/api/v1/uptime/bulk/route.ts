import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/monitors/bulk-contract";
import { bulkUpsertMonitors } from "@/lib/uptime/monitors/bulk-upsert-monitors";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkUpsertMonitors, bulkUpsertMonitors),
);
