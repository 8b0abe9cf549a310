"use client";

import { useState } from "react";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";
import { GuardedButton } from "@/components/ui/guarded-button";
import { tell } from "@/components/ui/toast";
import { useDeleteMaintenanceWindow } from "@/components/uptime/queries";

/** Removes a maintenance window after asking. */
export function EndMaintenance({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteMaintenanceWindow();
  return (
    <>
      <GuardedButton kind="quiet" reason={reason} aria-label={`Remove ${name}`} onClick={() => setOpen(true)}>
        Remove…
      </GuardedButton>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Remove ${name}?`}
        deed="Remove the window"
        pending={remove.isPending}
        error={failureOf(remove.error).message ?? undefined}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                setOpen(false);
                tell(`${name} was removed.`);
              },
            },
          )
        }
      >
        <p>From now on failures count again. Checks that were made keep how they were counted.</p>
      </Confirm>
    </>
  );
}
