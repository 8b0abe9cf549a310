import { httpsShape } from "@/lib/destinations/kinds/https/shape";
import type { Shape } from "@/lib/destinations/kinds/kind";

/** Every kind of destination, in the order of the gallery. Safe for the browser. */
export const shapes = {
  https: httpsShape,
} as const satisfies Record<string, Shape>;

export type DestinationType = keyof typeof shapes;
export const destinationTypes = Object.keys(shapes) as [DestinationType, ...DestinationType[]];

/** The shape of a type, if the specific one is not known. */
export function shapeOf(type: DestinationType): Shape {
  return shapes[type];
}
