import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** The names of the given monitors of the organization, by id. */
export async function readMonitorNames(
  { organizationId }: Principal,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db().uptimeMonitor.findMany({
    where: { organizationId, id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
