import { randomBytes } from "node:crypto";

/** Features that no page uses, so that injected code cannot use them either. */
const PERMISSIONS = [
  "accelerometer",
  "camera",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking",
];

const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const YEAR_S = 31_536_000;

/** An unpredictable value for the scripts of one response: 128 random bits. */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

/**
 * The policy of a dashboard page: it allows scripts with this response's nonce and the scripts that they load (CSP Level 3,
 * `strict-dynamic`), and our own files as workers. Style attributes are allowed because React renders them into the HTML; style elements are not.
 */
export function pagePolicy(nonce: string, dev: boolean): string {
  // Hot reload evaluates code and adds styles without a nonce; a nonce would disable `unsafe-inline`.
  const scripts = `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`;
  const styles = dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'`;
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "worker-src 'self'",
    `style-src ${styles}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * The security headers of every response: no content sniffing, no frames, no window or resource shared with other sites, no
 * referrer. `policy` is the Content-Security-Policy; by default it allows nothing, for responses that are not pages. Over https
 * the browser keeps to https for a year (RFC 6797).
 */
export function securityHeaders(https: boolean, policy = NOTHING): Record<string, string> {
  return {
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS.map((feature) => `${feature}=()`).join(", "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(https && { "Strict-Transport-Security": `max-age=${YEAR_S}` }),
  };
}
