import * as contract from "@/lib/alerts/contract";
import { listAlerts } from "@/lib/alerts/list";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listAlerts, listAlerts));
