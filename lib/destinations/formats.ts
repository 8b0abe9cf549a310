import type { Format } from "@/lib/destinations/formats/format";
import type { FormatName } from "@/lib/destinations/formats/names";
import { sealwatchFormat } from "@/lib/destinations/formats/sealwatch";

/** Every format by its name. */
export const formats: Readonly<Record<FormatName, Format>> = {
  sealwatch: sealwatchFormat,
};
