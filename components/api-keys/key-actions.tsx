"use client";

import { useState } from "react";
import { type KeyAction, LateKeyDialog, whyOff } from "@/components/api-keys/late-key-dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { ApiKey } from "@/lib/api-keys/contract";

/** The actions on the page of a key. */
export function KeyActions({ apiKey, reason }: { apiKey: ApiKey; reason: string | null }) {
  const [action, setAction] = useState<KeyAction | null>(null);
  const off = whyOff(apiKey, reason);
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
      <LateKeyDialog apiKey={apiKey} action={action} onClose={() => setAction(null)} />
    </>
  );
}
