"use client";

import { lazy, Suspense, useState } from "react";
import { type KeyAction, LazyKeyDialog } from "@/components/api-keys/lazy-key-dialog";
import { useShortcutKeys } from "@/components/palette/key-handler";
import { show, useOpened } from "@/components/palette/opened";
import { useRememberedVisits } from "@/components/palette/recent";
import type { ApiKey } from "@/lib/api-keys/contract";

// Most visits open neither, so no page loads them before they are needed.
const Palette = lazy(async () => ({ default: (await import("@/components/palette/palette")).Palette }));
const KeysHelp = lazy(async () => ({ default: (await import("@/components/palette/keys-help")).KeysHelp }));

/** The signed-in user and their organizations, which decide what the palette offers. */
export interface Reader {
  permission: "admin" | "read";
  organizationId: string;
  organizations: { id: string; name: string }[];
  /** The name of the cookie that stores the chosen organization. */
  organizationCookie: string;
  /** Whether they may see the operator's page. */
  isOperator: boolean;
}

/** Keyboard commands of every page: the palette, the list of shortcuts, and navigation by two letters. Used once, in the layout. */
export function Commands(reader: Reader) {
  const opened = useOpened();
  const [subject, setSubject] = useState<{ apiKey: ApiKey; action: KeyAction } | null>(null);
  useShortcutKeys();
  useRememberedVisits(reader.organizationId);
  return (
    <Suspense>
      {opened === "palette" && <Palette {...reader} onAction={(apiKey, action) => setSubject({ apiKey, action })} />}
      {opened === "keys" && <KeysHelp onClose={() => show(null)} />}
      {subject && <LazyKeyDialog {...subject} onClose={() => setSubject(null)} />}
    </Suspense>
  );
}
