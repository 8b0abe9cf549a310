import { handle, route } from "@/lib/api/route";
import { listCheckpoints } from "@/lib/audit-logs/bundle/proof";
import * as contract from "@/lib/audit-logs/bundle/proof-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listCheckpoints, listCheckpoints),
);
