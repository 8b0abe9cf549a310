import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-logs/hold/contract";
import { listAuditHolds } from "@/lib/audit-logs/hold/list";
import { placeAuditHold } from "@/lib/audit-logs/hold/place";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listAuditHolds, listAuditHolds),
  handle(contract.placeAuditHold, placeAuditHold),
);
