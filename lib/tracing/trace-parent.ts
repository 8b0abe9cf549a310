/** The span of a caller, from the header `traceparent`. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Bit 0: the caller records this trace. */
  flags: number;
}

const LENGTH = 55;
/** Later versions may append fields, which are not read. */
const MAX_LENGTH = 512;
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses W3C Trace Context (https://www.w3.org/TR/trace-context/#traceparent-header). Null for anything invalid, which is ignored. */
export function parseTraceParent(header: unknown): TraceParent | null {
  if (typeof header !== "string" || header.length < LENGTH || header.length > MAX_LENGTH) return null;
  const [, version, traceId = "", spanId = "", flags = ""] = FORM.exec(header.slice(0, LENGTH)) ?? [];
  if (version === undefined) return null;
  if (header.length > LENGTH && (version === "00" || header[LENGTH] !== "-")) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
