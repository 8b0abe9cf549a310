"use client";

import { lazy, Suspense } from "react";
import type { ApiKey } from "@/lib/api-keys/contract";

export type KeyAction = "edit" | "rotate" | "revoke";

const KeyDialog = lazy(async () => ({ default: (await import("@/components/api-keys/key-dialog")).KeyDialog }));

/** The dialog of an action, loaded when it opens; nothing while `action` is null. */
export function LazyKeyDialog({
  apiKey,
  action,
  whitelist,
  onClose,
}: {
  apiKey: ApiKey;
  action: KeyAction | null;
  /** For `edit`: entries to begin with if the key has none. */
  whitelist?: string[];
  onClose: () => void;
}) {
  if (action === null) return null;
  return (
    <Suspense>
      <KeyDialog apiKey={apiKey} action={action} {...(whitelist && { whitelist })} onClose={onClose} />
    </Suspense>
  );
}

/** Why a key cannot be changed; null if it can. `reason` is the reason that concerns the reader. */
export function disabledReason({ status }: ApiKey, reason: string | null): string | null {
  return status === "revoked" ? "A revoked key cannot be changed." : reason;
}
