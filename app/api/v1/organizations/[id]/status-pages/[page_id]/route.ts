import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/status-pages/contract";
import { deleteStatusPage } from "@/lib/status-pages/delete";
import { getStatusPage } from "@/lib/status-pages/get";
import { updateStatusPage } from "@/lib/status-pages/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getStatusPage, getStatusPage),
  handle(contract.updateStatusPage, updateStatusPage),
  handle(contract.deleteStatusPage, deleteStatusPage),
);
