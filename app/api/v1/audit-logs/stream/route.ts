import { handle, route } from "@/lib/api/route";
import { streamAuditLogs } from "@/lib/audit-logs/read/stream";
import * as contract from "@/lib/audit-logs/read/stream-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.streamAuditLogs, streamAuditLogs),
);
