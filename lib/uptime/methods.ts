/** What monitors do: request a URL, connect to a port, look up a name, ping a host, or wait to be called. */
export const monitorTypes = ["http", "tcp", "dns", "ping", "heartbeat"] as const;

/** The methods of http monitors. */
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];

/** Which addresses of a target are used. */
export const ipVersions = ["any", "4", "6"] as const;
export type IpVersion = (typeof ipVersions)[number];
