"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useOptimistic, useState, useTransition } from "react";
import { AlertActions } from "@/components/alerts/alert-actions";
import { AlertFacts } from "@/components/alerts/alert-facts";
import { expectedAlert } from "@/components/alerts/expected-alert";
import { type Act, actOnAlert } from "@/components/alerts/queries";
import { Timeline } from "@/components/alerts/timeline";
import { HostName } from "@/components/sites/host-name";
import { failureOf, isRequestFailed, isSessionOver } from "@/components/states/failure";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import type { AlertDetail } from "@/lib/alerts/contract";
import type { AlertRule } from "@/lib/alerts/rules/contract";

/** One alert and its actions: an action without a dialog is shown as done immediately, and undone if it fails. */
export function AlertView({
  alert,
  reader,
  reason,
  rule,
  children,
}: {
  alert: AlertDetail;
  /** The name of the signed-in user. */
  reader: string;
  reason: string | null;
  /** Null if the rule was deleted: its alerts are kept. */
  rule: Pick<AlertRule, "condition"> | null;
  /** Content below the details. */
  children: ReactNode;
}) {
  const router = useRouter();
  const [shown, show] = useOptimistic(alert, (before, act: Act) =>
    expectedAlert(before, act, reader, new Date().toISOString()),
  );
  const [failure, setFailure] = useState<unknown>(null);
  const [pending, startTransition] = useTransition();

  function act(action: Act) {
    setFailure(null);
    startTransition(async () => {
      show(action);
      try {
        await actOnAlert(action);
      } catch (error) {
        return setFailure(error);
      }
      // Within the transition, so that the expected state stays until the server responds.
      startTransition(() => router.refresh());
    });
  }

  function showResolved(action: Act) {
    setFailure(null);
    startTransition(() => {
      show(action);
      router.refresh();
    });
  }

  // After a refusal: someone else may have changed the alert.
  useEffect(() => {
    if (failure === null || isSessionOver(failure)) return;
    if (!isRequestFailed(failure) || failure.code !== "UNREACHABLE") router.refresh();
  }, [failure, router]);

  return (
    <>
      <PageHeader
        back={{ href: "/alerts", label: "Alerts" }}
        title={<HostName name={shown.subject.name} />}
        actions={<AlertActions alert={shown} reason={reason} pending={pending} onAct={act} onResolved={showResolved} />}
      >
        {shown.detail.charAt(0).toUpperCase() + shown.detail.slice(1)}
      </PageHeader>
      {failure !== null && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="bad" alert>
            The alert was not changed. {failureOf(failure).message}
          </Note>
        </div>
      )}
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 px-4 pt-2 sm:px-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <AlertFacts alert={shown} rule={rule} />
        <Timeline alert={shown} />
      </div>
      {children}
    </>
  );
}
