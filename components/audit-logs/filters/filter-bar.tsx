"use client";

import { useEffect, useRef } from "react";
import { FilterBox, type FilterNames } from "@/components/audit-logs/filters/filter-box";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { Kbd } from "@/components/ui/kbd";

/** The filters of the list; what is changed becomes part of its address. */
export function FilterBar(known: FilterNames) {
  const { asked, hrefOf, go, isGoing } = useExplorerView();
  const input = useFocusKey();
  return (
    <FilterBox
      {...known}
      params={asked}
      onChange={go}
      hrefOf={hrefOf}
      input={input}
      isBusy={isGoing}
      control={{ "aria-label": "Filter", placeholder: "Filter or search…" }}
      className="mx-4 mb-3 sm:mx-5"
    >
      <span className="px-1 leading-none pointer-coarse:hidden" aria-hidden="true">
        <Kbd>/</Kbd>
      </span>
    </FilterBox>
  );
}

/** Focuses the box when `/` is pressed outside of an input. */
function useFocusKey() {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isTyping = (event.target as Element).closest("input, textarea, select, dialog, [role=menu]") !== null;
      if (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return box;
}
