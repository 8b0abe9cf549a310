"use client";

import { useState } from "react";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import { useDeleteMaintenanceWindow } from "@/components/uptime/queries";

/** Deletes a maintenance window after a confirmation. */
export function EndMaintenance({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteMaintenanceWindow();
  return (
    <>
      <GuardedButton kind="quiet" reason={reason} aria-label={`Delete ${name}`} onClick={() => setOpen(true)}>
        Delete…
      </GuardedButton>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Delete ${name}?`}
        action="Delete window"
        pending={remove.isPending}
        error={failureOf(remove.error).message ?? undefined}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                setOpen(false);
                showToast(`${name} was deleted.`);
              },
            },
          )
        }
      >
        <p>Failures count again from now on. Earlier checks keep their result.</p>
      </Confirm>
    </>
  );
}
