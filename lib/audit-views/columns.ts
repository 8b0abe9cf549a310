/** The columns that a list of events can show, in display order. */
export const columns = [
  "time",
  "utc",
  "method",
  "path",
  "route",
  "query",
  "status",
  "error_code",
  "flags",
  "who",
  "ip",
  "country",
  "user_agent",
  "action",
  "resource",
  "body_size",
  "remaining",
  "ms",
] as const;

export type Column = (typeof columns)[number];
export const defaultColumns: readonly Column[] = ["time", "method", "path", "status", "flags", "who", "ip", "ms"];
