"use client";

import { useCheckEndpoint } from "@/components/certificates/queries";
import { showFailure } from "@/components/states/show-failure";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

/** Checks the endpoint now; the page then shows the result. */
export function CheckNow({ id, reason }: { id: string; reason: string | null }) {
  const check = useCheckEndpoint();
  return (
    <GuardedButton
      kind="primary"
      reason={reason}
      pending={check.isPending}
      onClick={() =>
        check.mutate(
          { id },
          {
            onSuccess: ({ agent_id, findings }) =>
              showToast(
                agent_id !== null
                  ? "The agent will check it soon."
                  : findings.length === 0
                    ? "Checked: no findings."
                    : "Checked: see the findings.",
              ),
            onError: showFailure,
          },
        )
      }
    >
      {check.isPending ? "Checking…" : "Check now"}
    </GuardedButton>
  );
}
