/** Most severe last; `unreachable`: the last check saw no certificate. */
export const endpointStatuses = ["pending", "ok", "info", "warning", "critical", "unreachable"] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];
