import { cefFormat } from "@/lib/destinations/formats/cef";
import { ecsFormat } from "@/lib/destinations/formats/ecs";
import type { Format } from "@/lib/destinations/formats/format";
import type { FormatName } from "@/lib/destinations/formats/names";
import { ocsfFormat } from "@/lib/destinations/formats/ocsf";
import { sealwatchFormat } from "@/lib/destinations/formats/sealwatch";

/** Every format by its name. */
export const formats: Readonly<Record<FormatName, Format>> = {
  sealwatch: sealwatchFormat,
  ocsf: ocsfFormat,
  ecs: ecsFormat,
  cef: cefFormat,
};
