/** What monitors do: request a URL, connect to a port, or wait to be called. */
export const monitorTypes = ["http", "tcp", "heartbeat"] as const;

/** The methods of http monitors. */
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];
