"use client";

import { useDeleteRule, useTestRule, useUpdateRule } from "@/components/alert-rules/queries";
import { RuleTestResult } from "@/components/alert-rules/rule-test-result";
import { SendRuleTest } from "@/components/alert-rules/send-rule-test";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showFailure } from "@/components/states/show-failure";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import type { AlertRule } from "@/lib/alerts/rules/contract";

/** Deletes, disables, enables and tests a rule. */
export function RuleActions({ rule, reason }: { rule: AlertRule; reason: string | null }) {
  const { id, name, enabled, open_alerts } = rule;
  const router = useFreshRouter();
  const [update, test] = [useUpdateRule(), useTestRule()];
  return (
    <>
      <ConfirmedButton
        label="Delete…"
        reason={reason}
        title={`Delete ${name}?`}
        action="Delete rule"
        mutation={useDeleteRule()}
        variables={{ id }}
        onDone={() => {
          showToast(`${name} was deleted.`);
          router.replace("/alert-rules");
        }}
      >
        <p>
          {open_alerts === 0
            ? "No new alert will open for this condition."
            : `Its ${open_alerts === 1 ? "unresolved alert is" : `${open_alerts} unresolved alerts are`} resolved, and the channels that were notified are informed.`}{" "}
          Past alerts are kept. To stop the rule temporarily, disable it instead.
        </p>
      </ConfirmedButton>
      <GuardedButton
        reason={reason}
        pending={update.isPending}
        onClick={() => update.mutate({ id, enabled: !enabled }, { onError: showFailure })}
      >
        {enabled ? "Disable rule" : "Enable rule"}
      </GuardedButton>
      <GuardedButton
        reason={reason ?? (enabled ? null : "Enable the rule to test it.")}
        pending={test.isPending}
        onClick={() => test.mutate({ id }, { onError: showFailure })}
      >
        Preview evaluation
      </GuardedButton>
      <SendRuleTest rule={rule} resource={null} reason={reason} />
      <Dialog
        open={test.data !== undefined}
        onOpenChange={() => test.reset()}
        title="Test result"
        description="What the saved rule would do now, given its current alerts. Nothing was changed or sent."
        wide
      >
        {test.data && <RuleTestResult test={test.data} />}
      </Dialog>
    </>
  );
}
