import * as z from "zod";

/** A URL without its query, which may be a secret. */
export function shownUrl(text: string): string {
  return text.replace(/\?.*/s, "");
}

/** A secret that goes into a header: visible ASCII, with spaces within. */
export const headerSecret = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(4000, "must have at most 4000 characters")
  .regex(/^[\x20-\x7e]*$/, "must have only visible ASCII characters");
