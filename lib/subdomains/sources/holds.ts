import { db } from "@/lib/db/app";

/**
 * SQL: the source named by the expression `source` is not held. A source that asks for a pause, such as with 429, is held for every
 * domain of this installation, because it counts the requests of all of them together.
 */
export const isNotHeld = (source: string) =>
  `NOT EXISTS (SELECT FROM source_holds h WHERE h.source = ${source} AND h.held_until > now())`;

/** The sources that are held at the moment, each with the end of its pause. */
export async function readHolds(): Promise<Map<string, Date>> {
  const rows = await db().sourceHold.findMany({ where: { heldUntil: { gt: new Date() } } });
  return new Map(rows.map(({ source, heldUntil }) => [source, heldUntil]));
}
