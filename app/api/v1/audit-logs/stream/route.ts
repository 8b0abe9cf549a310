import { door, route } from "@/lib/api/route";
import { streamAuditLogs } from "@/lib/audit-logs/stream";
import * as contract from "@/lib/audit-logs/stream-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.streamAuditLogs, streamAuditLogs));
