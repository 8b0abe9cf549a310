"use client";

import { lazy, Suspense } from "react";
import type { ApiKey } from "@/lib/api-keys/contract";

export type KeyDeed = "edit" | "rotate" | "revoke";

const KeyDialog = lazy(async () => ({ default: (await import("@/components/api-keys/key-dialog")).KeyDialog }));

/** The dialog of a deed, fetched when it is opened; null keeps it away. */
export function LateKeyDialog({
  apiKey,
  deed,
  onClose,
}: {
  apiKey: ApiKey;
  deed: KeyDeed | null;
  onClose: () => void;
}) {
  if (deed === null) return null;
  return (
    <Suspense>
      <KeyDialog apiKey={apiKey} deed={deed} onClose={onClose} />
    </Suspense>
  );
}

/** Why nothing can be done with a key; null where something can. `reason` is the reader's own. */
export function whyOff({ status }: ApiKey, reason: string | null): string | null {
  return status === "revoked" ? "A revoked key stays revoked." : reason;
}
