import * as contract from "@/lib/alerts/contract";
import { snoozeAlert } from "@/lib/alerts/snooze";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.snoozeAlert, snoozeAlert));
