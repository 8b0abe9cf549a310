"use client";

import { useDeleteCalendar } from "@/components/certificates/queries";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { showToast } from "@/components/ui/toast";

/** Revokes a calendar address after a confirmation. */
export function RevokeCalendar({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  return (
    <ConfirmedButton
      kind="quiet"
      label="Revoke…"
      name={`Revoke ${name}`}
      reason={reason}
      title={`Revoke ${name}?`}
      action="Revoke address"
      mutation={useDeleteCalendar()}
      variables={{ id }}
      onDone={() => showToast(`${name} was revoked.`)}
    >
      <p>The address returns 404 from now on, and calendars that subscribe to it are no longer updated.</p>
    </ConfirmedButton>
  );
}
