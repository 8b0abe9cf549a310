/** Most severe last; `unreachable`: the last check saw no certificate. */
export const endpointStatuses = ["pending", "ok", "info", "warning", "critical", "unreachable"] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** Statuses by urgency. A trigger writes the position in this list, from 1, to `certificate_endpoints.urgency`. */
export const byUrgency: readonly EndpointStatus[] = ["critical", "unreachable", "warning", "pending", "info", "ok"];
