import type { FormatName } from "@/lib/destinations/formats/names";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { invalid } from "@/lib/http/errors";

/** The format that was asked for, or the type's default. Throws 400 if the type does not support it. */
export function requireFormat(type: DestinationType, asked: FormatName | undefined): FormatName {
  const { formats, label } = shapeOf(type);
  if (asked === undefined) return formats[0];
  if (!formats.includes(asked)) throw invalid("format", `must be ${formats.join(" or ")} for ${label}`);
  return asked;
}
