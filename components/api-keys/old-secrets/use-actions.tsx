"use client";

import { lazy, Suspense, useState } from "react";
import { disabledReason, type KeyAction, LazyKeyDialog } from "@/components/api-keys/lazy-key-dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { OldSecretUse } from "@/lib/api-keys/old-secrets/contract";

const HandleDialog = lazy(async () => ({
  default: (await import("@/components/api-keys/old-secrets/handle-dialog")).HandleDialog,
}));

/** The actions on the attempts with a key's old secrets. */
export function OldSecretActions({
  apiKey,
  state,
  until,
  whitelist,
  reason,
}: {
  apiKey: ApiKey;
  state: OldSecretUse["state"];
  until: string;
  /** The whitelist to begin with if the key has none. */
  whitelist: string[];
  reason: string | null;
}) {
  const [action, setAction] = useState<KeyAction | "handle" | null>(null);
  const off = disabledReason(apiKey, reason);
  const close = () => setAction(null);
  return (
    <>
      <GuardedButton kind="danger" reason={off} onClick={() => setAction("revoke")}>
        Revoke…
      </GuardedButton>
      <GuardedButton reason={off} onClick={() => setAction("rotate")}>
        Rotate secret…
      </GuardedButton>
      <GuardedButton reason={off} onClick={() => setAction("edit")}>
        Block addresses…
      </GuardedButton>
      {state === "open" && (
        <GuardedButton kind="primary" reason={reason} onClick={() => setAction("handle")}>
          Mark as handled…
        </GuardedButton>
      )}
      {action === "handle" ? (
        <Suspense>
          <HandleDialog apiKey={apiKey} until={until} onClose={close} />
        </Suspense>
      ) : (
        <LazyKeyDialog apiKey={apiKey} action={action} whitelist={whitelist} onClose={close} />
      )}
    </>
  );
}
