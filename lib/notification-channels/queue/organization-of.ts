import { db, type Transaction } from "@/lib/db/app";
import type { Message } from "@/lib/notification-channels/providers/message";

/** What messages say about the organization that they are from. */
export async function organizationOf(
  id: string,
  tx: Pick<Transaction, "organization"> = db(),
): Promise<NonNullable<Message["organization"]>> {
  return tx.organization.findUniqueOrThrow({ where: { id }, select: { id: true, name: true, slug: true } });
}
