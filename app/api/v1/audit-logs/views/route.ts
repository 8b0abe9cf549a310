import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-views/contract";
import { createAuditView } from "@/lib/audit-views/create";
import { listAuditViews } from "@/lib/audit-views/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listAuditViews, listAuditViews),
  handle(contract.createAuditView, createAuditView),
);
