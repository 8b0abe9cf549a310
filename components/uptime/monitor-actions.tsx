"use client";

import { lazy, Suspense, useState } from "react";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showFailure } from "@/components/states/show-failure";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { useCheckMonitor, useDeleteMonitor, useUpdateMonitor } from "@/components/uptime/queries";
import { RotateUrl } from "@/components/uptime/rotate-url";
import { reasonWords } from "@/components/uptime/words";
import { inSentence } from "@/lib/text/labels";
import type { Monitor } from "@/lib/uptime/contract";

const MonitorForm = lazy(async () => ({
  default: (await import("@/components/uptime/form/monitor-form")).MonitorForm,
}));

/** The actions of a monitor. */
export function MonitorActions({ monitor, reason }: { monitor: Monitor; reason: string | null }) {
  const { id, name, status, type } = monitor;
  const [isEditing, setIsEditing] = useState(false);
  const router = useFreshRouter();
  const update = useUpdateMonitor();
  const check = useCheckMonitor();
  const close = () => setIsEditing(false);
  const isPaused = status === "paused";
  return (
    <>
      <ConfirmedButton
        label="Delete…"
        reason={reason}
        title={`Delete ${name}?`}
        action="Delete monitor"
        mutation={useDeleteMonitor()}
        variables={{ id }}
        onDone={() => {
          showToast(`${name} was deleted.`);
          router.replace("/uptime");
        }}
      >
        <p>This deletes its incidents, response times and uptime. To keep them, pause the monitor instead.</p>
      </ConfirmedButton>
      <GuardedButton reason={reason} onClick={() => setIsEditing(true)}>
        Edit…
      </GuardedButton>
      <GuardedButton
        reason={reason}
        pending={update.isPending && !isEditing}
        onClick={() => update.mutate({ id, paused: !isPaused }, { onError: showFailure })}
      >
        {isPaused ? "Resume" : "Pause"}
      </GuardedButton>
      {type === "heartbeat" ? (
        <RotateUrl id={id} name={name} reason={reason} />
      ) : (
        <GuardedButton
          kind="primary"
          reason={reason ?? (isPaused ? "The monitor is paused. Resume it first." : null)}
          pending={check.isPending}
          onClick={() =>
            check.mutate(
              { id },
              {
                onSuccess: ({ reason: why, detail }) =>
                  showToast(
                    why === null
                      ? "The check succeeded."
                      : `The check failed: ${inSentence(reasonWords({ reason: why, detail }))}.`,
                  ),
                onError: showFailure,
              },
            )
          }
        >
          {check.isPending ? "Checking…" : "Check now"}
        </GuardedButton>
      )}
      <Dialog open={isEditing} onOpenChange={close} title={`Edit ${name}`}>
        <Suspense fallback={<Skeleton className="h-64" />}>
          <MonitorForm
            monitor={monitor}
            onCancel={close}
            onSaved={(saved) => {
              showToast(`${saved.name} was saved.`);
              close();
            }}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
