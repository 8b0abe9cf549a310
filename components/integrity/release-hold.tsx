"use client";

import { useReleaseHold } from "@/components/integrity/queries";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { showToast } from "@/components/ui/toast";

/** Releases a hold after a confirmation. `reason`: why the reader may not; null if he may. */
export function ReleaseHold({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  const release = useReleaseHold();
  return (
    <ConfirmedButton
      label="Release…"
      name={`Release ${name}`}
      kind="quiet"
      reason={reason}
      title={`Release “${name}”?`}
      action="Release hold"
      mutation={release}
      variables={{ id }}
      onDone={() => showToast(`The hold “${name}” was released.`)}
    >
      Entries that only this hold keeps and that are older than the plan’s retention are deleted for good within
      minutes, and redactions that wait for it are carried out. A new hold does not bring them back.
    </ConfirmedButton>
  );
}
