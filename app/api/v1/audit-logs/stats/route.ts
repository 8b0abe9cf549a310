import { handle, route } from "@/lib/api/route";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import * as contract from "@/lib/audit-logs/count/stats-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getAuditStats, getAuditStats));
