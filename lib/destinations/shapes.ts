import { datadogShape } from "@/lib/destinations/kinds/datadog/shape";
import { elasticShape } from "@/lib/destinations/kinds/elastic/shape";
import { httpsShape } from "@/lib/destinations/kinds/https/shape";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { otlpShape } from "@/lib/destinations/kinds/otlp/shape";
import { s3Shape } from "@/lib/destinations/kinds/s3/shape";
import { splunkShape } from "@/lib/destinations/kinds/splunk/shape";
import { syslogShape } from "@/lib/destinations/kinds/syslog/shape";

/** Every kind of destination, in the order of the gallery. Safe for the browser. */
export const shapes = {
  https: httpsShape,
  s3: s3Shape,
  splunk: splunkShape,
  elastic: elasticShape,
  datadog: datadogShape,
  otlp: otlpShape,
  syslog: syslogShape,
} as const satisfies Record<string, Shape>;

export type DestinationType = keyof typeof shapes;
export const destinationTypes = Object.keys(shapes) as [DestinationType, ...DestinationType[]];

/** The shape of a type, if the specific one is not known. */
export function shapeOf(type: DestinationType): Shape {
  return shapes[type];
}
