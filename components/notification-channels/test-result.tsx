"use client";

import type { useTestChannel } from "@/components/notification-channels/queries";
import { failureOf } from "@/components/states/failure";
import { Note } from "@/components/ui/note";
import type { NotificationDelivery } from "@/lib/notification-channels/contract";

/** How a test message went, in a sentence. */
export function testWords({ status, error }: NotificationDelivery): string {
  return status === "sent"
    ? "The test message was sent. Look whether it arrived."
    : `The test message could not be sent: ${error ?? "nobody knows why"}.`;
}

/** What became of the last test, or of asking for one. */
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
