"use client";

import { useRetryDelivery } from "@/components/notification-channels/queries";
import { showFailure } from "@/components/states/show-failure";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

/** Sends a failed message again. */
export function RetryDelivery({ id, title, reason }: { id: string; title: string; reason: string | null }) {
  const retry = useRetryDelivery();
  return (
    <GuardedButton
      kind="quiet"
      reason={reason}
      pending={retry.isPending}
      aria-label={`Send again: ${title}`}
      className="h-6!"
      onClick={() =>
        retry.mutate(
          { id },
          {
            onSuccess: () => showToast("The message is being sent again."),
            onError: showFailure,
          },
        )
      }
    >
      Send again
    </GuardedButton>
  );
}
