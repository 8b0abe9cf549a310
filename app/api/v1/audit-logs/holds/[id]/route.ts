import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-logs/hold/contract";
import { releaseAuditHold } from "@/lib/audit-logs/hold/release";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.releaseAuditHold, releaseAuditHold),
);
