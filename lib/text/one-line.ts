import { visible } from "@/lib/text/visible";

const MAX_TEXT = 160;

/** Untrusted text on one line of an e-mail: without control characters and line breaks, and at most 160 characters. */
export function oneLine(text: string): string {
  const shown = visible(withoutBreaks(text));
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}

/** The text with a space for each sequence of control characters and line breaks. */
export function withoutBreaks(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
