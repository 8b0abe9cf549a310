"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { Selectable } from "@/components/table/selection";
import type { ApiKey } from "@/lib/api-keys/contract";

const KeyBar = lazy(async () => ({ default: (await import("@/components/api-keys/table/key-bar")).KeyBar }));

/** A key that can be selected, as far as its confirmation needs it. */
export type SelectableKey = Pick<ApiKey, "id" | "name" | "last_used_at">;

/** Lets people select active keys in the table in it, and revoke them. */
export function SelectKeys({ keys, children }: { keys: readonly SelectableKey[]; children: ReactNode }) {
  const bar = (
    <Suspense>
      <KeyBar keys={keys} />
    </Suspense>
  );
  return (
    <Selectable ids={keys.map(({ id }) => id)} noun="key" bar={bar}>
      {children}
    </Selectable>
  );
}
