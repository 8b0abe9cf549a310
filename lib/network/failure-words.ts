/** The words for an address that must not be connected to. */
export const FORBIDDEN_ADDRESS = "its address is in a forbidden network";

const CODES: Record<string, string> = {
  ENOTFOUND: "the name could not be resolved",
  ENODATA: "the name has no address",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  ETIMEDOUT: "no response in time",
  // The deadline of a mail.
  EABORT: "no response in time",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the host",
};

/** An error of a connection in words, without addresses, URLs and secrets. */
export function failureWords(error: unknown): string {
  const { name, code = "", errors } = error as { name?: string; code?: string; errors?: unknown[] };
  if (name === "ForbiddenAddress") return FORBIDDEN_ADDRESS;
  if (name === "ResponseTooLong") return "the response is too large";
  if (name === "TimeoutError") return "no response in time";
  if (errors !== undefined && errors.length > 0) return failureWords(errors[0]);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return `its certificate was rejected (${code})`;
  }
  return CODES[code] ?? `the connection failed (${code || name || "unknown"})`;
}
