import { randomBytes } from "node:crypto";

/** What no page of ours uses, so that nothing that got into one can ask for it. */
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

/** A value that one answer's scripts carry and nobody can know beforehand: 128 random bits. */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}

/**
 * The policy of a dashboard page: scripts run by this answer's nonce, or loaded by one that does (CSP Level 3,
 * `strict-dynamic`). Style attributes are open because React renders them into the HTML; style elements are not.
 */
export function pagePolicy(nonce: string, dev: boolean): string {
  // Hot reload evaluates code and adds styles without a nonce, which would switch `unsafe-inline` off.
  const scripts = `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`;
  const styles = dev ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'`;
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
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
 * What every answer tells the browser, whatever it is: an answer is what its type says, is shown in no frame, shares no window
 * and no bytes with another site, and names us to none. `policy` is the Content-Security-Policy, for what is no page nothing
 * at all. Served by https, the browser keeps to it for a year (RFC 6797).
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
