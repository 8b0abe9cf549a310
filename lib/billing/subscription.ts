/** Whether a subscription with the provider's status has not ended for good: a second one would be charged in addition. */
export function isRunning({ status }: { status: string }): boolean {
  return status !== "canceled" && status !== "incomplete_expired";
}
