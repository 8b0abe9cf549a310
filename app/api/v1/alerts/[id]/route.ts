import * as contract from "@/lib/alerts/contract";
import { getAlert } from "@/lib/alerts/get";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getAlert, getAlert));
