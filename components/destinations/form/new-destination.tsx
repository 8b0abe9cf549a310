"use client";

import { useState } from "react";
import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { DestinationForm } from "@/components/destinations/form/destination-form";
import type { FormKind } from "@/components/destinations/form/kind-field";
import { DESTINATIONS } from "@/components/destinations/words";
import { SigningSecret } from "@/components/notification-channels/signing-secret";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import type { DestinationWithSecret } from "@/lib/destinations/contract";

/** The form of a new destination; shows its signing secret once, and opens it. */
export function NewDestination({
  kind,
  about,
  known,
  reason,
}: {
  kind: FormKind;
  about: string | null;
  known: FilterNames;
  reason: string | null;
}) {
  const router = useFreshRouter();
  const [created, setCreated] = useState<DestinationWithSecret | null>(null);
  const open = ({ id }: DestinationWithSecret) => router.replace(`${DESTINATIONS}/${id}`);
  if (created !== null && created.signing_secret !== null) {
    return (
      <div className="grid max-w-2xl gap-4 px-4 pt-2 sm:px-5">
        <h2 className="font-medium text-lg">{created.name} was added</h2>
        <SigningSecret secret={created.signing_secret} name={created.name} />
        <div>
          <Button kind="primary" onClick={() => open(created)}>
            I have stored the secret
          </Button>
        </div>
      </div>
    );
  }
  return (
    <DestinationForm
      kind={kind}
      about={about}
      known={known}
      reason={reason}
      back={DESTINATIONS}
      onSaved={(saved) => {
        showToast(`${saved.name} was added.`);
        if (saved.signing_secret === null) open(saved);
        else setCreated(saved);
      }}
    />
  );
}
