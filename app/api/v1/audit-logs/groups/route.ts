import { handle, route } from "@/lib/api/route";
import { groupAuditLogs } from "@/lib/audit-logs/group/group-events";
import * as contract from "@/lib/audit-logs/group/group-events-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.groupAuditLogs, groupAuditLogs));
