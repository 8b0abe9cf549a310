"use client";

import Link from "next/link";
import { useSendRuleTest } from "@/components/alert-rules/queries";
import { deliveryTone } from "@/components/notification-channels/words";
import { showFailure } from "@/components/states/show-failure";
import { Status } from "@/components/ui/badge";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import type { AlertCoverage, AlertRuleSentTest } from "@/lib/alerts/rules/coverage-contract";
import { deliveryStatusLabels } from "@/lib/notification-channels/labels";
import { plural } from "@/lib/text/counts";

/** Sends a test message to every channel that a rule notifies, and shows the results. */
export function SendRuleTest({
  rule,
  resource,
  reason,
  isQuiet = false,
}: {
  rule: { id: string; name: string };
  /** The resource to name in the message. */
  resource: Pick<AlertCoverage["resource"], "type" | "id"> | null;
  reason: string | null;
  isQuiet?: boolean;
}) {
  const test = useSendRuleTest();
  const about = resource && { type: resource.type, id: resource.id };
  return (
    <>
      <GuardedButton
        kind={isQuiet ? "quiet" : "plain"}
        reason={reason}
        pending={test.isPending}
        aria-label={`Send test message: ${rule.name}`}
        onClick={() => test.mutate({ id: rule.id, resource: about }, { onError: showFailure })}
      >
        Send test message
      </GuardedButton>
      <Dialog
        open={test.data !== undefined}
        onOpenChange={() => test.reset()}
        title="Test messages"
        description={`Sent through the steps of ${rule.name} to the channels that they notify.`}
      >
        {test.data && <Results test={test.data} />}
      </Dialog>
    </>
  );
}

function Results({ test: { enabled, held, channel_count, results } }: { test: AlertRuleSentTest }) {
  return (
    <div className="grid gap-3 text-left">
      {!enabled && <Note tone="warn">The rule is disabled: it opens no alerts.</Note>}
      {held && <Note tone="warn">Quiet hours hold back alerts of this rule now.</Note>}
      {results.length === 0 ? (
        <Note tone="warn">No channel is enabled: nobody was notified.</Note>
      ) : (
        <ul className="border-t" aria-label="Results">
          {results.map(({ step, delivery: { id, channel, status, error } }) => (
            <li key={id} className="grid gap-0.5 border-b py-1.5">
              <span className="flex flex-wrap items-baseline gap-x-3">
                <Link
                  prefetch={false}
                  href={`/notification-channels/${channel.id}`}
                  className="font-medium hover:underline"
                >
                  {channel.name}
                </Link>
                <span className="text-second">step {step}</span>
                <Status tone={deliveryTone[status]}>{deliveryStatusLabels[status]}</Status>
              </span>
              {error !== null && <span className="text-bad">{error}</span>}
            </li>
          ))}
        </ul>
      )}
      {channel_count > results.length && results.length > 0 && (
        <p className="text-second">{plural(channel_count - results.length, "further channel")} not tested</p>
      )}
    </div>
  );
}
