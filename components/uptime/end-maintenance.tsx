"use client";

import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { showToast } from "@/components/ui/toast";
import { useDeleteMaintenanceWindow } from "@/components/uptime/queries";

/** Deletes a maintenance window after a confirmation. */
export function EndMaintenance({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  return (
    <ConfirmedButton
      kind="quiet"
      label="Delete…"
      name={`Delete ${name}`}
      reason={reason}
      title={`Delete ${name}?`}
      action="Delete window"
      mutation={useDeleteMaintenanceWindow()}
      variables={{ id }}
      onDone={() => showToast(`${name} was deleted.`)}
    >
      <p>Failures count again from now on. Earlier checks keep their result.</p>
    </ConfirmedButton>
  );
}
