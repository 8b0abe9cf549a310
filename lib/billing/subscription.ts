/** Whether a subscription, in the provider's words, was not ended for good: a second one would be paid beside it. */
export function isRunning({ status }: { status: string }): boolean {
  return status !== "canceled" && status !== "incomplete_expired";
}
