"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useMemo, useOptimistic, useState, useTransition } from "react";
import { ValueMenuProvider } from "@/components/audit-logs/filters/filter-value";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";

type Params = Record<string, string>;
type Changes = Record<string, string | null>;

interface ExplorerView {
  /** The parameters of the URL: those of the list that is shown. */
  params: Params;
  /** The parameters that were asked for last. They differ from `params` until their list is ready, and the next change adds to them. */
  asked: Params;
  /** The URL of the view that was asked for, with some parameters changed; null removes a parameter. */
  hrefOf: (changes: Changes) => string;
  /** Navigates to `hrefOf(changes)`; the current list stays visible until the new one is ready. */
  go: (changes: Changes) => void;
  /** Navigates to a different view. */
  show: (params: Params) => void;
  isGoing: boolean;
  /** Why the reader may change nothing; null if he may. */
  readOnly: string | null;
  /** Changes parameters that only this browser needs (columns, the open entry): updates the URL without a reload. */
  change: (changes: Changes, how?: "push" | "replace") => void;
  /** Whether a live list holds new entries back. */
  isPaused: boolean;
  setIsPaused: (isPaused: boolean) => void;
}

const Context = createContext<ExplorerView | null>(null);

/** Provides the view that the values, tokens and buttons below it change. `from` is the base view outside the explorer. */
export function ExplorerViewProvider({
  from,
  readOnly,
  children,
}: {
  from?: Params;
  readOnly: string | null;
  children: ReactNode;
}) {
  const search = useSearchParams();
  const router = useRouter();
  const [isGoing, startTransition] = useTransition();
  const [isPaused, setIsPaused] = useState(false);
  const params = useMemo(
    () => from ?? Object.fromEntries([...search].filter(([, value]) => value !== "")),
    [from, search],
  );
  const [asked, ask] = useOptimistic(params);
  const view = useMemo((): ExplorerView => {
    const hrefOf = (changes: Changes) => hrefWith(EXPLORER, asked, { entry: null, ...changes });
    const push = (href: string) =>
      startTransition(() => {
        if (from === undefined) ask(Object.fromEntries(new URL(href, location.origin).searchParams));
        router.push(href);
      });
    return {
      params,
      asked,
      hrefOf,
      go: (changes) => push(hrefOf(changes)),
      show: (other) => push(hrefWith(EXPLORER, other, {})),
      ...{ isGoing, readOnly },
      change: (changes, how = "replace") => {
        const href = hrefWith(EXPLORER, params, changes);
        if (how === "push") window.history.pushState(null, "", href);
        else window.history.replaceState(null, "", href);
      },
      isPaused,
      setIsPaused,
    };
  }, [from, params, asked, ask, router, isGoing, readOnly, isPaused]);
  return (
    <Context value={view}>
      <ValueMenuProvider>
        {/* Leaves room for the open entry on wide screens. */}
        <div className={from === undefined && view.params.entry ? "xl:pr-[28rem]" : undefined}>{children}</div>
      </ValueMenuProvider>
    </Context>
  );
}

/** The current view. Throws outside of a provider. */
export function useExplorerView(): ExplorerView {
  const view = use(Context);
  if (view === null) throw new Error("there is no ExplorerViewProvider above");
  return view;
}
