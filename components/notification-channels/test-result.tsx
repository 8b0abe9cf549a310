"use client";

import type { useTestChannel } from "@/components/notification-channels/queries";
import { failureOf } from "@/components/states/failure";
import { Note } from "@/components/ui/note";
import type { NotificationDelivery } from "@/lib/notification-channels/contract";

/** The result of a test message, as a sentence. */
export function testWords({ status, error }: NotificationDelivery): string {
  return status === "sent"
    ? "The test message was sent. Check that it arrived."
    : `The test message could not be sent: ${error ?? "unknown error"}.`;
}

/** The result of the last test, or the failure of its request. */
export function TestResult({ test: { data, error } }: { test: ReturnType<typeof useTestChannel> }) {
  if (error) {
    return (
      <Note tone="bad" alert>
        {failureOf(error).message}
      </Note>
    );
  }
  if (data === undefined) return null;
  return (
    <Note tone={data.status === "sent" ? "seal" : "bad"} alert>
      {testWords(data)}
    </Note>
  );
}
