import { type Selector, unionOf } from "@/lib/alert-selectors/selector";
import { db } from "@/lib/db/app";

/** The types of rule conditions about each type of resource. */
export const conditionsAbout = {
  endpoint: ["finding", "time_left"],
  monitor: ["monitor_down", "latency"],
} as const;

/** Everything of a type that an enabled rule covers; null if no enabled rule is about this type. */
export async function coveringSelector(
  organizationId: string,
  type: keyof typeof conditionsAbout,
): Promise<Selector | null> {
  const rows = await db().alertRule.findMany({
    where: {
      organizationId,
      enabled: true,
      OR: conditionsAbout[type].map((each) => ({ condition: { path: ["type"], equals: each } })),
    },
    select: { selector: true },
  });
  return unionOf(rows.map(({ selector }) => selector as unknown as Selector));
}

/** Whether the organization has an enabled channel. Without one, nobody is notified, whatever the rules. */
export async function hasEnabledChannel(organizationId: string): Promise<boolean> {
  const where = { organizationId, enabled: true };
  return (await db().notificationChannel.findFirst({ where, select: { id: true } })) !== null;
}
