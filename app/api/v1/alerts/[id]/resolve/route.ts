import * as contract from "@/lib/alerts/contract";
import { resolveAlert } from "@/lib/alerts/resolve";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.resolveAlert, resolveAlert));
