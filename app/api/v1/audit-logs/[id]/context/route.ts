import { handle, route } from "@/lib/api/route";
import { getAuditContext } from "@/lib/audit-logs/read/context";
import * as contract from "@/lib/audit-logs/read/context-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAuditContext, getAuditContext),
);
