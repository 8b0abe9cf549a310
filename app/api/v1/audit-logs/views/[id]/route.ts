import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-views/contract";
import { deleteAuditView } from "@/lib/audit-views/delete";
import { getAuditView } from "@/lib/audit-views/get";
import { updateAuditView } from "@/lib/audit-views/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAuditView, getAuditView),
  handle(contract.updateAuditView, updateAuditView),
  handle(contract.deleteAuditView, deleteAuditView),
);
