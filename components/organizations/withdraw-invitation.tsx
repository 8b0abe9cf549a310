"use client";

import { useWithdrawInvitation } from "@/components/organizations/queries";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
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
  return (
    <ConfirmedButton
      kind="quiet"
      label="Withdraw…"
      name={`Withdraw the invitation to ${email}`}
      reason={reason}
      title={`Withdraw the invitation to ${email}?`}
      action="Withdraw invitation"
      mutation={useWithdrawInvitation()}
      variables={{ id: organizationId, invitation_id: id }}
      onDone={() => showToast("The invitation was withdrawn.")}
    >
      <p>The link stops working immediately.</p>
    </ConfirmedButton>
  );
}
