"use client";

import { lazy, Suspense, useState } from "react";
import { type KeyDeed, LateKeyDialog } from "@/components/api-keys/late-key-dialog";
import { useShortcutKeys } from "@/components/palette/key-handler";
import { show, useOpened } from "@/components/palette/opened";
import { useRememberedVisits } from "@/components/palette/recent";
import type { ApiKey } from "@/lib/api-keys/contract";

// Most visits open neither, and no page should load them before they are asked for.
const Palette = lazy(async () => ({ default: (await import("@/components/palette/palette")).Palette }));
const KeysHelp = lazy(async () => ({ default: (await import("@/components/palette/keys-help")).KeysHelp }));

/** Who reads, and where: what the palette offers depends on it. */
export interface Reader {
  permission: "admin" | "read";
  organizationId: string;
  organizations: { id: string; name: string }[];
  /** Names the cookie that the server reads the chosen organization from. */
  organizationCookie: string;
}

/** What works by keyboard on every page: the palette, the list of keys, and going to a page by two letters. Once in the layout. */
export function Commands(reader: Reader) {
  const opened = useOpened();
  const [subject, setSubject] = useState<{ apiKey: ApiKey; deed: KeyDeed } | null>(null);
  useShortcutKeys();
  useRememberedVisits(reader.organizationId);
  return (
    <Suspense>
      {opened === "palette" && <Palette {...reader} onDeed={(apiKey, deed) => setSubject({ apiKey, deed })} />}
      {opened === "keys" && <KeysHelp onClose={() => show(null)} />}
      {subject && <LateKeyDialog {...subject} onClose={() => setSubject(null)} />}
    </Suspense>
  );
}
