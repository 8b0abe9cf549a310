import { domainToASCII, domainToUnicode } from "node:url";

/** A word that may be the label of a name. */
const LABEL = /[\p{L}\p{M}\p{N}_-]+/gu;
const PUNYCODE = /xn--[a-z0-9-]+/gi;
/** Full stops that IDNA takes for dots. */
const DOTS = /[\u3002\uff0e\uff61]/g;

const toAscii = (label: string) => (/[^\x20-\x7e]/.test(label) ? domainToASCII(label) || label : label);

/** A text, and the same with its names in punycode and as people write them, as far as that differs. Finds whole labels, not parts of them. */
export function nameForms(text: string): string[] {
  const ascii = text.replace(LABEL, toAscii).replace(DOTS, ".");
  const unicode = text.replace(PUNYCODE, (label) => domainToUnicode(label) || label);
  return [...new Set([text, ascii, unicode])];
}
