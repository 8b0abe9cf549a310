import { handle, route } from "@/lib/api/route";
import { groupSecurityEvents } from "@/lib/audit-logs/read/group-security-events";
import * as contract from "@/lib/audit-logs/read/groups-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.groupSecurityEvents, groupSecurityEvents),
);
