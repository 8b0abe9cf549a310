import * as z from "zod";
import { invalid } from "@/lib/http/errors";

/** A parameter of exports: a byte order mark, without which Excel takes UTF-8 for another encoding. */
export const csvBom = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true")
  .describe("`true` begins a CSV file with a byte order mark, which Excel needs to read it as UTF-8.");

/** The byte order mark if it is asked for, else nothing. Throws 400 if the file is not CSV. */
export function beginningOf(format: string, bom: boolean): string {
  if (!bom) return "";
  if (format !== "csv") throw invalid("bom", "can only be true with the format csv");
  return "\uFEFF";
}
