const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM; what is around them is ignored. */
export function pemBlocks(text: string): string[] {
  return text.match(BLOCK) ?? [];
}
