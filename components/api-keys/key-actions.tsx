"use client";

import { useState } from "react";
import { disabledReason, type KeyAction, LazyKeyDialog } from "@/components/api-keys/lazy-key-dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { ApiKey } from "@/lib/api-keys/contract";

/** The actions on the page of a key. */
export function KeyActions({ apiKey, reason }: { apiKey: ApiKey; reason: string | null }) {
  const [action, setAction] = useState<KeyAction | null>(null);
  const off = disabledReason(apiKey, reason);
  return (
    <>
      <GuardedButton kind="danger" reason={off} onClick={() => setAction("revoke")}>
        Revoke…
      </GuardedButton>
      <GuardedButton reason={off} onClick={() => setAction("rotate")}>
        Rotate secret…
      </GuardedButton>
      <GuardedButton reason={off} onClick={() => setAction("edit")}>
        Edit…
      </GuardedButton>
      <LazyKeyDialog apiKey={apiKey} action={action} onClose={() => setAction(null)} />
    </>
  );
}
