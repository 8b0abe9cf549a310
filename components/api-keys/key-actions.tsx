"use client";

import { useState } from "react";
import { type KeyDeed, LateKeyDialog, whyOff } from "@/components/api-keys/late-key-dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { ApiKey } from "@/lib/api-keys/contract";

/** The actions on the page of a key. */
export function KeyActions({ apiKey, reason }: { apiKey: ApiKey; reason: string | null }) {
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const off = whyOff(apiKey, reason);
  return (
    <>
      <GuardedButton kind="danger" reason={off} onClick={() => setDeed("revoke")}>
        Revoke…
      </GuardedButton>
      <GuardedButton reason={off} onClick={() => setDeed("rotate")}>
        Rotate secret…
      </GuardedButton>
      <GuardedButton reason={off} onClick={() => setDeed("edit")}>
        Edit…
      </GuardedButton>
      <LateKeyDialog apiKey={apiKey} deed={deed} onClose={() => setDeed(null)} />
    </>
  );
}
