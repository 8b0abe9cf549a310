import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";

/** Statuses by urgency. A trigger writes the position in this list, from 1, to `certificate_endpoints.urgency`. */
export const byUrgency: readonly EndpointStatus[] = ["critical", "unreachable", "warning", "pending", "info", "ok"];
