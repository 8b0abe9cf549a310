import * as z from "zod";

/** An http or https URL that has no credentials. */
export const url = z
  .string()
  .trim()
  .max(2000, "must have at most 2000 characters")
  .refine((text) => {
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
    return parsed.username === "" && parsed.password === "" && parsed.hash === "";
  }, "must be an http or https URL without a user name, a password or a fragment");

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
