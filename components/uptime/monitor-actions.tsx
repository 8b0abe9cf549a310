"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { tell } from "@/components/ui/toast";
import { useCheckMonitor, useDeleteMonitor, useUpdateMonitor } from "@/components/uptime/queries";
import { reasonWords } from "@/components/uptime/words";
import { inSentence } from "@/lib/labels";
import type { Monitor } from "@/lib/uptime/contract";

const MonitorForm = lazy(async () => ({ default: (await import("@/components/uptime/monitor-form")).MonitorForm }));

/** What can be done with a monitor. */
export function MonitorActions({ monitor, reason }: { monitor: Monitor; reason: string | null }) {
  const { id, name, status } = monitor;
  const [deed, setDeed] = useState<"edit" | "delete" | null>(null);
  const router = useRouter();
  const update = useUpdateMonitor();
  const check = useCheckMonitor();
  const remove = useDeleteMonitor();
  const close = () => setDeed(null);
  const failed = (error: unknown) => tell(failureOf(error).message ?? "It did not work.");
  const isPaused = status === "paused";
  return (
    <>
      <GuardedButton kind="danger" reason={reason} onClick={() => setDeed("delete")}>
        Delete…
      </GuardedButton>
      <GuardedButton reason={reason} onClick={() => setDeed("edit")}>
        Edit…
      </GuardedButton>
      <GuardedButton
        reason={reason}
        pending={update.isPending && deed === null}
        onClick={() => update.mutate({ id, paused: !isPaused }, { onError: failed })}
      >
        {isPaused ? "Resume" : "Pause"}
      </GuardedButton>
      <GuardedButton
        kind="primary"
        reason={reason ?? (isPaused ? "A paused monitor is not checked." : null)}
        pending={check.isPending}
        onClick={() =>
          check.mutate(
            { id },
            {
              onSuccess: ({ reason: why, detail }) =>
                tell(
                  why === null
                    ? "Checked: it answered."
                    : `Checked: ${inSentence(reasonWords({ reason: why, detail }))}.`,
                ),
              onError: failed,
            },
          )
        }
      >
        {check.isPending ? "Checking…" : "Check now"}
      </GuardedButton>
      <Dialog open={deed === "edit"} onOpenChange={close} title={`Edit ${name}`}>
        <Suspense fallback={<Skeleton className="h-64" />}>
          <MonitorForm
            monitor={monitor}
            onCancel={close}
            onSaved={(saved) => {
              tell(`${saved.name} was saved.`);
              close();
            }}
          />
        </Suspense>
      </Dialog>
      <Confirm
        open={deed === "delete"}
        onOpenChange={close}
        title={`Stop watching ${name}?`}
        deed="Delete the monitor"
        pending={remove.isPending}
        error={failureOf(remove.error).message ?? undefined}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                tell(`${name} is no longer watched.`);
                router.replace("/uptime");
              },
            },
          )
        }
      >
        <p>Its incidents, response times and uptime are forgotten. To keep them, pause it instead.</p>
      </Confirm>
    </>
  );
}
