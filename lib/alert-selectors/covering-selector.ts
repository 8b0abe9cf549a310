import { conditionsAbout, normalized, type Selector, unionOf } from "@/lib/alert-selectors/selector";
import { db } from "@/lib/db/app";

/** The enabled rules about a type of resource, for Prisma. */
export function rulesAbout(organizationId: string, type: keyof typeof conditionsAbout) {
  const OR = conditionsAbout[type].map((each) => ({ condition: { path: ["type"], equals: each } }));
  return { organizationId, enabled: true, OR };
}

/** Everything of a type that an enabled rule covers; null if no enabled rule is about this type. */
export async function coveringSelector(
  organizationId: string,
  type: keyof typeof conditionsAbout,
): Promise<Selector | null> {
  const rows = await db().alertRule.findMany({
    where: rulesAbout(organizationId, type),
    select: { selector: true },
  });
  return unionOf(rows.map(({ selector }) => normalized(selector as unknown as Selector, conditionsAbout[type][0])));
}

/** Whether the organization has an enabled channel. Without one, nobody is notified, whatever the rules. */
export async function hasEnabledChannel(organizationId: string): Promise<boolean> {
  const where = { organizationId, enabled: true };
  return (await db().notificationChannel.findFirst({ where, select: { id: true } })) !== null;
}
