import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/audit-logs/redact/contract";
import { redactAuditLog } from "@/lib/audit-logs/redact/redact";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.redactAuditLog, redactAuditLog));
