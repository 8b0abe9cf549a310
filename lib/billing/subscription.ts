/** Whether a subscription with the provider's status has not ended permanently: a second subscription would be charged too. */
export function isRunning({ status }: { status: string }): boolean {
  return status !== "canceled" && status !== "incomplete_expired";
}
