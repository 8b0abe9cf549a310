import { handle, route } from "@/lib/api/route";
import { exportAuditLogs } from "@/lib/audit-logs/read/export";
import * as contract from "@/lib/audit-logs/read/export-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.exportAuditLogs, exportAuditLogs),
);
