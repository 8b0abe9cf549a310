import { db } from "@/lib/db/app";

/** Whether a subscription with the provider's status has not ended permanently: a second subscription would be charged too. */
export function isRunning({ status }: { status: string }): boolean {
  return status !== "canceled" && status !== "incomplete_expired";
}

/** Whether the organization has a subscription, as far as we know, that has not ended permanently. */
export async function hasRunningSubscription(organizationId: string): Promise<boolean> {
  const held = await db().subscription.findUnique({ where: { organizationId } });
  return held !== null && isRunning(held);
}
