"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useMemo, useTransition } from "react";
import { ValueMenuProvider } from "@/components/audit-logs/filter-value";
import { EXPLORER, hrefWith } from "@/components/audit-logs/view";

type Params = Record<string, string>;
type Changes = Record<string, string | null>;

interface ExplorerView {
  /** As in the address. */
  params: Params;
  /** The address of this view with some parameters changed; null takes one away. */
  hrefOf: (changes: Changes) => string;
  /** Goes there; what is shown stays until the new list is there. */
  go: (changes: Changes) => void;
  isGoing: boolean;
}

const Context = createContext<ExplorerView | null>(null);

/** The view that the values, tokens and buttons below it change. `from` is one to begin from, outside of the explorer. */
export function ExplorerViewProvider({ from, children }: { from?: Params; children: ReactNode }) {
  const search = useSearchParams();
  const router = useRouter();
  const [isGoing, startTransition] = useTransition();
  const view = useMemo((): ExplorerView => {
    const params = from ?? Object.fromEntries([...search].filter(([, value]) => value !== ""));
    const hrefOf = (changes: Changes) => hrefWith(EXPLORER, params, { entry: null, ...changes });
    return { params, hrefOf, go: (changes) => startTransition(() => router.push(hrefOf(changes))), isGoing };
  }, [from, search, router, isGoing]);
  return (
    <Context value={view}>
      <ValueMenuProvider>{children}</ValueMenuProvider>
    </Context>
  );
}

/** The view that is shown. Throws outside of a provider. */
export function useExplorerView(): ExplorerView {
  const view = use(Context);
  if (view === null) throw new Error("there is no ExplorerViewProvider above");
  return view;
}
