import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/incidents/contract";
import { listIncidents } from "@/lib/uptime/incidents/list-incidents";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listIncidents, listIncidents));
