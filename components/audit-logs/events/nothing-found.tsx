"use client";

import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { filtersIn, readView } from "@/components/audit-logs/views/view";
import { EmptyState } from "@/components/states/empty-state";
import { LinkButton } from "@/components/ui/button";
import { DEFAULT_RANGE } from "@/lib/audit-views/ranges";

/** Replaces an empty list: says why it is empty and how to see more. */
export function NothingFound() {
  const { params, hrefOf } = useExplorerView();
  const { range, hidesReads } = readView(params, 0);
  const narrowed = filtersIn(params);
  const none = Object.fromEntries(narrowed.map(([name]) => [name, null]));
  const isAll = range === "all";
  return (
    <EmptyState
      title="No entries found"
      action={
        <>
          {!isAll && (
            <LinkButton href={hrefOf({ range: "all", since: null, until: null })}>Show all retained entries</LinkButton>
          )}
          {hidesReads && <LinkButton href={hrefOf({ reads: "shown" })}>Show reads</LinkButton>}
          {narrowed.length > 0 && <LinkButton href={hrefOf(none)}>Clear filters</LinkButton>}
        </>
      }
    >
      {narrowed.length > 0
        ? `No entry in this range matches the filters.${hidesReads ? " Reads in the dashboard are hidden." : ""}`
        : `Nothing ${hidesReads ? "but reads in the dashboard " : ""}was recorded ${isAll ? "yet" : range === DEFAULT_RANGE ? "in the last 24 hours" : "in this range"}.`}
    </EmptyState>
  );
}
