"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useSelection } from "@/components/table/selection";
import { Button } from "@/components/ui/button";
import { plural } from "@/lib/text/counts";

/** The actions for the selected rows. It floats above the end of the page, so that no row moves. */
export function BulkBar({ noun, children }: { noun: string; children: ReactNode }) {
  const { selected, select } = useSelection();
  useEffect(
    () => () => {
      // The focus was in the bar: it goes on at the table instead of at the start of the page.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>("[data-select-all]")?.focus();
    },
    [],
  );
  const count = plural(selected.size, noun);
  return (
    <section
      aria-label={`Actions for ${count}`}
      className="fixed inset-x-4 bottom-4 z-40 mx-auto flex w-max max-w-[calc(100vw-2rem)] animate-appear flex-wrap items-center gap-2 rounded-md bg-panel p-2 shadow-float md:left-[14.25rem] md:max-w-[calc(100vw-16.25rem)]"
    >
      <span className="px-1.5 text-second tabular-nums">{count} selected</span>
      {children}
      <Button kind="quiet" icon aria-label="Clear selection" onClick={() => select([])}>
        <X size={14} aria-hidden="true" />
      </Button>
    </section>
  );
}
