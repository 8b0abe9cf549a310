import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-logs/contract";
import { listSecurityEvents } from "@/lib/audit-logs/read/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listSecurityEvents, listSecurityEvents),
);
