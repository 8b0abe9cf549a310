"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { Selectable } from "@/components/table/selection";

const EndpointBar = lazy(async () => ({
  default: (await import("@/components/certificates/endpoints/endpoint-bar")).EndpointBar,
}));

/** Lets people select endpoints in the table in it, and act on them. */
export function SelectEndpoints({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const bar = (
    <Suspense>
      <EndpointBar />
    </Suspense>
  );
  return (
    <Selectable ids={ids} noun="endpoint" bar={bar}>
      {children}
    </Selectable>
  );
}
