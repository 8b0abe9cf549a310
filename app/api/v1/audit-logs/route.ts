import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/read/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listAuditLogs, listAuditLogs));
