import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { getIncident } from "@/lib/uptime/incidents/get-incident";
import { updateIncident } from "@/lib/uptime/incidents/update-incident";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getIncident, getIncident),
  door(contract.updateIncident, updateIncident),
);
