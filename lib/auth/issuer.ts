/** An issuer without its final slash, which the setting, the discovery document and people who are stored may have or lack. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, "");
}
