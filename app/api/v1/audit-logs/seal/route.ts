import { handle, route } from "@/lib/api/route";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import * as contract from "@/lib/audit-logs/seal/get-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getSealedLog, getSealedLog));
