"use client";

import { useState } from "react";
import { type Act, actOnAlert } from "@/components/alerts/queries";
import { ResolveDialog } from "@/components/alerts/resolve-dialog";
import { SnoozeMenu } from "@/components/alerts/snooze-menu";
import { useMutation } from "@/components/requests/use-mutation";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { Alert } from "@/lib/alerts/contract";

/** The actions on an unresolved alert. */
export function AlertActions({
  alert: { id, status, acknowledged_at },
  reason,
  pending,
  onAct,
  onResolved,
}: {
  alert: Alert;
  /** Why the reader may not act; null if they may. */
  reason: string | null;
  pending: boolean;
  onAct: (act: Act) => void;
  /** Called when this has been done. */
  onResolved: (act: Act) => void;
}) {
  const [isResolving, setIsResolving] = useState(false);
  const resolution = useMutation({
    mutationFn: actOnAlert,
    onSuccess: (_, act) => {
      setIsResolving(false);
      onResolved(act);
    },
  });
  if (status === "resolved") return null;
  return (
    <>
      {reason === null ? (
        <SnoozeMenu pending={pending} onSnooze={(until) => onAct({ act: "snoozeAlert", sent: { id, until } })} />
      ) : (
        <GuardedButton reason={reason}>Snooze</GuardedButton>
      )}
      <GuardedButton
        reason={reason}
        pending={pending}
        onClick={() => {
          resolution.reset();
          setIsResolving(true);
        }}
      >
        Resolve…
      </GuardedButton>
      {acknowledged_at === null && (
        <GuardedButton
          kind="primary"
          reason={reason}
          pending={pending}
          onClick={() => onAct({ act: "acknowledgeAlert", sent: { id } })}
        >
          Acknowledge
        </GuardedButton>
      )}
      <ResolveDialog
        open={isResolving}
        onOpenChange={setIsResolving}
        title="Resolve this alert?"
        pending={resolution.isPending}
        error={resolution.error}
        onResolve={(note) => resolution.mutate({ act: "resolveAlert", sent: { id, note } })}
      />
    </>
  );
}
