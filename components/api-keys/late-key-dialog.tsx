"use client";

import { lazy, Suspense } from "react";
import type { ApiKey } from "@/lib/api-keys/contract";

export type KeyDeed = "edit" | "rotate" | "revoke";

const KeyDialog = lazy(async () => ({ default: (await import("@/components/api-keys/key-dialog")).KeyDialog }));

/** The dialog of an action, loaded when it opens; nothing while `deed` is null. */
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

/** Why a key cannot be changed; null if it can. `reason` is the reason that concerns the reader. */
export function whyOff({ status }: ApiKey, reason: string | null): string | null {
  return status === "revoked" ? "A revoked key cannot be changed." : reason;
}
