"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useMemo, useState, useTransition } from "react";
import { ValueMenuProvider } from "@/components/audit-logs/filters/filter-value";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";

type Params = Record<string, string>;
type Changes = Record<string, string | null>;

interface ExplorerView {
  /** As in the address. */
  params: Params;
  /** The address of this view with some parameters changed; null takes one away. */
  hrefOf: (changes: Changes) => string;
  /** Goes there; what is shown stays until the new list is there. */
  go: (changes: Changes) => void;
  /** Goes to another view altogether. */
  show: (params: Params) => void;
  isGoing: boolean;
  /** Changes what is a matter of this browser alone (columns, the open entry): the address, without reading anew. */
  change: (changes: Changes, how?: "push" | "replace") => void;
  /** Whether new entries of a live list are made to wait. */
  isPaused: boolean;
  setIsPaused: (isPaused: boolean) => void;
}

const Context = createContext<ExplorerView | null>(null);

/** The view that the values, tokens and buttons below it change. `from` is one to begin from, outside of the explorer. */
export function ExplorerViewProvider({ from, children }: { from?: Params; children: ReactNode }) {
  const search = useSearchParams();
  const router = useRouter();
  const [isGoing, startTransition] = useTransition();
  const [isPaused, setIsPaused] = useState(false);
  const view = useMemo((): ExplorerView => {
    const params = from ?? Object.fromEntries([...search].filter(([, value]) => value !== ""));
    const hrefOf = (changes: Changes) => hrefWith(EXPLORER, params, { entry: null, ...changes });
    const push = (href: string) => startTransition(() => router.push(href));
    return {
      params,
      hrefOf,
      go: (changes) => push(hrefOf(changes)),
      show: (other) => push(hrefWith(EXPLORER, other, {})),
      isGoing,
      change: (changes, how = "replace") => {
        const href = hrefWith(EXPLORER, params, changes);
        if (how === "push") window.history.pushState(null, "", href);
        else window.history.replaceState(null, "", href);
      },
      isPaused,
      setIsPaused,
    };
  }, [from, search, router, isGoing, isPaused]);
  return (
    <Context value={view}>
      <ValueMenuProvider>
        {/* Beside the entry that is open, where there is room. */}
        <div className={from === undefined && view.params.entry ? "xl:pr-[28rem]" : undefined}>{children}</div>
      </ValueMenuProvider>
    </Context>
  );
}

/** The view that is shown. Throws outside of a provider. */
export function useExplorerView(): ExplorerView {
  const view = use(Context);
  if (view === null) throw new Error("there is no ExplorerViewProvider above");
  return view;
}
