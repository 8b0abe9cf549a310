"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useDeleteRule, useTestRule, useUpdateRule } from "@/components/alert-rules/queries";
import { RuleTested } from "@/components/alert-rules/rule-tested";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { tell } from "@/components/ui/toast";
import type { AlertRule } from "@/lib/alerts/rules/contract";

/** What can be done with a rule besides editing it. */
export function RuleActions({ rule, reason }: { rule: AlertRule; reason: string | null }) {
  const { id, name, enabled, open_alerts } = rule;
  const router = useRouter();
  const [isDeleting, setIsDeleting] = useState(false);
  const [update, test, remove] = [useUpdateRule(), useTestRule(), useDeleteRule()];
  const failed = (error: unknown) => tell(failureOf(error).message ?? "It did not work.");
  return (
    <>
      <GuardedButton kind="danger" reason={reason} onClick={() => setIsDeleting(true)}>
        Delete…
      </GuardedButton>
      <GuardedButton
        reason={reason}
        pending={update.isPending}
        onClick={() => update.mutate({ id, enabled: !enabled }, { onError: failed })}
      >
        {enabled ? "Disable" : "Enable"}
      </GuardedButton>
      <GuardedButton
        reason={reason ?? (enabled ? null : "A disabled rule does nothing.")}
        pending={test.isPending}
        onClick={() => test.mutate({ id }, { onError: failed })}
      >
        Test
      </GuardedButton>
      <Dialog
        open={test.data !== undefined}
        onOpenChange={() => test.reset()}
        title="What it would do now"
        description="By the rule as it was saved, and the alerts there are. Nothing was changed, nothing was sent."
        wide
      >
        {test.data && <RuleTested test={test.data} />}
      </Dialog>
      <Confirm
        open={isDeleting}
        onOpenChange={setIsDeleting}
        title={`Delete ${name}?`}
        deed="Delete the rule"
        pending={remove.isPending}
        error={failureOf(remove.error).message ?? undefined}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                tell(`${name} was deleted.`);
                router.replace("/alert-rules");
              },
            },
          )
        }
      >
        <p>
          {open_alerts === 0
            ? "Nothing looks for this any more."
            : `Its ${open_alerts === 1 ? "open alert ends" : `${open_alerts} open alerts end`}, and whoever was told of them is told so.`}{" "}
          Its alerts stay known. To stop it for a while, disable it instead.
        </p>
      </Confirm>
    </>
  );
}
