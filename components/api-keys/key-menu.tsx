"use client";

import { Ellipsis } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import type { ApiKey } from "@/lib/api-keys/contract";

export type KeyDeed = "edit" | "rotate" | "revoke";

const KeyDialog = lazy(async () => ({ default: (await import("@/components/api-keys/key-dialog")).KeyDialog }));

/** What can be done with a key. */
export function KeyMenu({ apiKey, reason }: { apiKey: ApiKey; reason: string | null }) {
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const router = useRouter();
  const off = reason !== null || apiKey.status === "revoked";
  return (
    <>
      <Menu
        trigger={
          <Button kind="quiet" icon aria-label={`Actions for ${apiKey.name}`} className="h-6 align-middle">
            <Ellipsis size={15} aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onSelect={() => router.push(`/audit-logs?api_key_id=${apiKey.id}`)}>Its requests</MenuItem>
        <MenuLine />
        <MenuItem disabled={off} onSelect={() => setDeed("edit")}>
          Edit…
        </MenuItem>
        <MenuItem disabled={off} onSelect={() => setDeed("rotate")}>
          Rotate the secret…
        </MenuItem>
        <MenuItem danger={!off} disabled={off} onSelect={() => setDeed("revoke")}>
          Revoke…
        </MenuItem>
        {off && (
          <>
            <MenuLine />
            <MenuLabel>
              <span className="block max-w-52 whitespace-normal">
                {apiKey.status === "revoked" ? "A revoked key stays revoked." : reason}
              </span>
            </MenuLabel>
          </>
        )}
      </Menu>
      {deed && (
        <Suspense>
          <KeyDialog apiKey={apiKey} deed={deed} onClose={() => setDeed(null)} />
        </Suspense>
      )}
    </>
  );
}
