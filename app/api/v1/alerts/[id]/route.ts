import * as contract from "@/lib/alerts/contract";
import { getAlert } from "@/lib/alerts/get";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.getAlert, getAlert));
