import { door, route } from "@/lib/api/route";
import { bulkUpsertMonitors } from "@/lib/uptime/bulk-upsert-monitors";
import * as contract from "@/lib/uptime/contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.bulkUpsertMonitors, bulkUpsertMonitors),
);
