import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-logs/contract";
import { getAuditLog } from "@/lib/audit-logs/read/get";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getAuditLog, getAuditLog));
