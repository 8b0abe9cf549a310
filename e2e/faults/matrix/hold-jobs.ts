import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { aged } from "@/e2e/audit/aging";
import { store } from "@/e2e/audit/store";
import type { Give } from "@/e2e/faults/work";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

/** An event on hold of a day that expires, and one that is not. */
export const keepHeld: Give = async ({ server }) => {
  const { id } = await newOrganization(server);
  const [held, other] = [
    { ...aged(id, 30, 33 * DAY_MS), method: "DELETE" },
    { ...aged(id, 30, 33 * DAY_MS), method: "POST" },
  ];
  await query(
    server,
    "app",
    `WITH placed AS (
       INSERT INTO audit_holds (organization_id, id, name, reason, filter, covers_since, placed_at, placed_by_type, placed_by_name)
       VALUES ($1, $2, 'Case', 'x', 'method=DELETE', now() - interval '60 days', now() - interval '30 days', 'user', 'Somebody')
     )
     UPDATE organizations SET audit_has_held = true, audit_held_since = now() - interval '60 days' WHERE id = $1`,
    [id, newId()],
  );
  await store([held, other]);
  const left = () =>
    query(
      server,
      "audit",
      "SELECT retention_days, id FROM audit_events WHERE organization_id = $1 AND id = ANY ($2::uuid[])",
      [...[id, [held.id, other.id]]],
    );
  const kept = [{ retention_days: HELD_CLASS, id: held.id }];
  return {
    isDone: async () => isDeepStrictEqual(await left(), kept),
    verify: async () => expect(await left()).toEqual(kept),
  };
};
