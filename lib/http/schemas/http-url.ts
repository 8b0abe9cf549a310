import * as z from "zod";

/** An http or https URL without credentials. */
export const httpUrl = z
  .string()
  .trim()
  .max(2000, "must have at most 2000 characters")
  .refine((text) => {
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) return false;
    return parsed.username === "" && parsed.password === "" && parsed.hash === "";
  }, "must be an http or https URL without a user name, a password or a fragment");
