"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { disabledReason, type KeyAction, LazyKeyDialog } from "@/components/api-keys/lazy-key-dialog";
import { RowMenu } from "@/components/table/row-menu";
import { MenuItem, MenuLine } from "@/components/ui/menu";
import type { ApiKey } from "@/lib/api-keys/contract";

/** The menu of actions on a key. */
export function KeyMenu({ apiKey, reason }: { apiKey: ApiKey; reason: string | null }) {
  const [action, setAction] = useState<KeyAction | null>(null);
  const router = useRouter();
  const why = disabledReason(apiKey, reason);
  const off = why !== null;
  return (
    <>
      <RowMenu name={apiKey.name} reason={why}>
        <MenuItem onSelect={() => router.push(`/audit-logs?api_key_id=${apiKey.id}`)}>View requests</MenuItem>
        <MenuLine />
        <MenuItem disabled={off} onSelect={() => setAction("edit")}>
          Edit…
        </MenuItem>
        <MenuItem disabled={off} onSelect={() => setAction("rotate")}>
          Rotate secret…
        </MenuItem>
        <MenuItem danger={!off} disabled={off} onSelect={() => setAction("revoke")}>
          Revoke…
        </MenuItem>
      </RowMenu>
      <LazyKeyDialog apiKey={apiKey} action={action} onClose={() => setAction(null)} />
    </>
  );
}
