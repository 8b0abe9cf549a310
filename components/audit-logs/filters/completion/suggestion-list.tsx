"use client";

import { useEffect, useRef } from "react";
import type { Suggestion } from "@/components/audit-logs/filters/completion/suggest";
import { filterFields, isFilter } from "@/components/audit-logs/filters/filter-fields";
import { useTimesWords } from "@/components/search/times-words";

export interface SuggestionListProps {
  id: string;
  suggestions: readonly Suggestion[];
  at: number;
  onChoose: (suggestion: Suggestion) => void;
}

/** The suggestions of the filter box; Enter selects the one at index `at`. */
export function SuggestionList({ id, suggestions, at, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at >= 0) list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      hidden={suggestions.length === 0}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-[min(24rem,60vh)] max-w-2xl overflow-y-auto overscroll-contain rounded-md bg-panel p-1 shadow-float"
    >
      {suggestions.map((suggestion, index) => (
        <button
          type="button"
          tabIndex={-1}
          key={keyOf(suggestion)}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          aria-disabled={suggestion.kind === "note" || undefined}
          // Keep the focus in the box.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
          className="flex min-h-7 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-sunken aria-selected:bg-seal-wash pointer-coarse:min-h-10"
        >
          <Words suggestion={suggestion} />
        </button>
      ))}
    </div>
  );
}

function keyOf(suggestion: Suggestion): string {
  if (suggestion.kind === "value") return `${suggestion.name}:${suggestion.value}`;
  if (suggestion.kind === "page") return suggestion.href;
  return suggestion.kind === "field" ? `field ${suggestion.name}` : suggestion.kind;
}

function Words({ suggestion }: { suggestion: Suggestion }) {
  const timesWords = useTimesWords();
  if (suggestion.kind === "page") {
    return (
      <>
        <span className="truncate">{suggestion.words}</span>
        <span className="ml-auto shrink-0 pl-4 text-sm text-third max-sm:hidden">opens another page</span>
      </>
    );
  }
  if (suggestion.kind === "note") return <span className="text-second">{suggestion.words}</span>;
  if (suggestion.kind === "owner") {
    return (
      <>
        <span className="truncate">{suggestion.words}</span>
        <span className="ml-auto shrink-0 pl-4 text-sm text-third max-sm:hidden">
          {suggestion.isRetired ? "its refused requests" : "requests of the key"}
        </span>
      </>
    );
  }
  if (suggestion.kind === "times") {
    return (
      <>
        <span className="shrink-0 text-second">time</span>
        <span className="truncate">{timesWords(suggestion)}</span>
      </>
    );
  }
  if (suggestion.kind === "entry") {
    return (
      <>
        <span className="shrink-0">Open the entry of request</span>
        <span className="truncate font-mono text-sm">{suggestion.id}</span>
      </>
    );
  }
  if (suggestion.kind === "text") {
    return (
      <span className="truncate">
        <span className="text-second">text</span> “{suggestion.text}”
      </span>
    );
  }
  if (suggestion.kind === "field") {
    return (
      <>
        <span className="shrink-0">{suggestion.words}</span>
        <span className="ml-auto truncate text-sm text-third">{suggestion.hint}</span>
      </>
    );
  }
  const { name, words, hint, isExcluded } = suggestion;
  return (
    <>
      <span className="shrink-0 text-second">
        {isFilter(name) ? filterFields[name].label : name}
        {isExcluded && " is not"}
      </span>
      <span className="truncate font-mono text-sm">{words}</span>
      <span className="ml-auto truncate pl-4 text-sm text-third max-sm:hidden">{hint}</span>
    </>
  );
}
