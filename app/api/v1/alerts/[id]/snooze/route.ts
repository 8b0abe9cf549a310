import * as contract from "@/lib/alerts/contract";
import { snoozeAlert } from "@/lib/alerts/snooze";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.snoozeAlert, snoozeAlert));
