import { handle, route } from "@/lib/api/route";
import { getAuditFacets } from "@/lib/audit-logs/group/facets";
import * as contract from "@/lib/audit-logs/group/facets-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getAuditFacets, getAuditFacets));
