/** The wait of a `Retry-After` header, seconds or an HTTP date (RFC 9110, 10.2.3), in milliseconds; null without a usable one. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? ms : null;
}
