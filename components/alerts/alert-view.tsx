"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useOptimistic, useState, useTransition } from "react";
import { afterAct } from "@/components/alerts/after-act";
import { AlertActions } from "@/components/alerts/alert-actions";
import { AlertFacts } from "@/components/alerts/alert-facts";
import { type Act, useActOnAlert } from "@/components/alerts/queries";
import { Timeline } from "@/components/alerts/timeline";
import { failureOf } from "@/components/states/failure";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import type { AlertDetail } from "@/lib/alerts/contract";

/** One alert, and what can be done with it: shown as done at once, and taken back where it fails. */
export function AlertView({
  alert,
  reader,
  reason,
  isRuleThere,
  children,
}: {
  alert: AlertDetail;
  /** Who looks at it. */
  reader: string;
  reason: string | null;
  /** Alerts outlive their rule. */
  isRuleThere: boolean;
  /** What stands below its facts. */
  children: ReactNode;
}) {
  const router = useRouter();
  const { mutateAsync } = useActOnAlert();
  const [shown, show] = useOptimistic(alert, (before, act: Act) =>
    afterAct(before, act, reader, new Date().toISOString()),
  );
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, startTransition] = useTransition();

  function act(deed: Act) {
    setFailure(null);
    startTransition(async () => {
      show(deed);
      try {
        await mutateAsync(deed);
      } catch (error) {
        return setFailure(failureOf(error).message);
      }
      // Within the transition, so that what was shown as done stays until the server says so.
      startTransition(() => router.refresh());
    });
  }

  // After it was taken back: somebody else may have been quicker.
  useEffect(() => {
    if (failure !== null) router.refresh();
  }, [failure, router]);

  return (
    <>
      <PageHeader
        back={{ href: "/alerts", label: "Alerts" }}
        title={shown.subject.name}
        actions={<AlertActions alert={shown} reason={reason} pending={pending} onAct={act} />}
      >
        {shown.detail.charAt(0).toUpperCase() + shown.detail.slice(1)}
      </PageHeader>
      {failure !== null && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="bad" alert>
            That did not succeed, and the alert is as it was. {failure}
          </Note>
        </div>
      )}
      <div className="grid gap-x-10 gap-y-6 px-4 pt-2 sm:px-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <AlertFacts alert={shown} isRuleThere={isRuleThere} />
        <Timeline alert={shown} />
      </div>
      {children}
    </>
  );
}
