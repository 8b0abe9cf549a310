import { handle, route } from "@/lib/api/route";
import { getAuditLog } from "@/lib/audit-logs/read/get";
import * as contract from "@/lib/audit-logs/read/get-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getAuditLog, getAuditLog));
