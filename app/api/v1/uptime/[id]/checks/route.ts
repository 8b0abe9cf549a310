import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/checks-contract";
import { listUptimeChecks } from "@/lib/uptime/monitors/list-checks";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listUptimeChecks, listUptimeChecks),
);
