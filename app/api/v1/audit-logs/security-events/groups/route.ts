import { handle, route } from "@/lib/api/route";
import { groupSecurityEvents } from "@/lib/audit-logs/security/group-security-events";
import * as contract from "@/lib/audit-logs/security/groups-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.groupSecurityEvents, groupSecurityEvents),
);
