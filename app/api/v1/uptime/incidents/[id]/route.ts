import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/incidents/contract";
import { getIncident } from "@/lib/uptime/incidents/get-incident";
import { updateIncident } from "@/lib/uptime/incidents/update-incident";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getIncident, getIncident),
  handle(contract.updateIncident, updateIncident),
);
