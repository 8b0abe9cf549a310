"use client";

import { useState } from "react";
import { useWithdrawInvitation } from "@/components/organizations/queries";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

/** Withdraws an invitation after a confirmation. */
export function WithdrawInvitation({
  organizationId,
  id,
  email,
  reason,
}: {
  organizationId: string;
  id: string;
  email: string;
  reason: string | null;
}) {
  const [open, setOpen] = useState(false);
  const withdraw = useWithdrawInvitation();
  const onSuccess = () => {
    setOpen(false);
    showToast("The invitation was withdrawn.");
  };
  return (
    <>
      <GuardedButton
        kind="quiet"
        reason={reason}
        aria-label={`Withdraw the invitation to ${email}`}
        onClick={() => setOpen(true)}
      >
        Withdraw…
      </GuardedButton>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Withdraw the invitation to ${email}?`}
        action="Withdraw invitation"
        pending={withdraw.isPending}
        error={failureOf(withdraw.error).message ?? undefined}
        onConfirm={() => withdraw.mutate({ id: organizationId, invitation_id: id }, { onSuccess })}
      >
        <p>The link stops working immediately.</p>
      </Confirm>
    </>
  );
}
