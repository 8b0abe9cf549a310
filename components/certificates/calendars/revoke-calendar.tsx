"use client";

import { useState } from "react";
import { useDeleteCalendar } from "@/components/certificates/queries";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

/** Revokes a calendar address after a confirmation. */
export function RevokeCalendar({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteCalendar();
  return (
    <>
      <GuardedButton kind="quiet" reason={reason} aria-label={`Revoke ${name}`} onClick={() => setOpen(true)}>
        Revoke…
      </GuardedButton>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Revoke ${name}?`}
        action="Revoke address"
        pending={remove.isPending}
        error={failureOf(remove.error).message ?? undefined}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                setOpen(false);
                showToast(`${name} was revoked.`);
              },
            },
          )
        }
      >
        <p>The address returns 404 from now on, and calendars that subscribe to it are no longer updated.</p>
      </Confirm>
    </>
  );
}
