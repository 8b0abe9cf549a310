import type { EndpointStatus } from "@/lib/certificates/contract";

/** What wants attention first. A trigger writes the place in this list, from 1, to `certificate_endpoints.urgency`. */
export const byUrgency: readonly EndpointStatus[] = ["critical", "unreachable", "warning", "pending", "info", "ok"];
