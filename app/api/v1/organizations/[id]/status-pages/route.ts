import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/status-pages/contract";
import { createStatusPage } from "@/lib/status-pages/create";
import { listStatusPages } from "@/lib/status-pages/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listStatusPages, listStatusPages),
  handle(contract.createStatusPage, createStatusPage),
);
