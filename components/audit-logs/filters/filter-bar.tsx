"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { isFilter, type KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { FilterToken } from "@/components/audit-logs/filters/filter-token";
import { formatFilter, onlyValue, parseFilter, withValue } from "@/components/audit-logs/filters/filter-values";
import { type Suggestion, suggest, typedFilter } from "@/components/audit-logs/filters/suggest";
import { SuggestionList } from "@/components/audit-logs/filters/suggestion-list";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { filtersIn, parseSearch } from "@/components/audit-logs/views/view";
import { Kbd } from "@/components/ui/kbd";

/**
 * The active filters as tokens, and a box to add more: it completes filter names and values, and searches for any other text.
 * `names` are needed for the tokens, `later` only for completion.
 */
export function FilterBar({ names, later }: { names: KnownValues; later: Promise<KnownValues> }) {
  const { params, hrefOf, go, isGoing } = useExplorerView();
  const [known, setKnown] = useState(names);
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const box = useFocusKey();
  const id = useId();
  useEffect(() => {
    let isCurrent = true;
    later.then(
      (more) => isCurrent && setKnown({ ...names, ...more }),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [names, later]);
  const filters = filtersIn(params);
  const suggestions = isOpen ? suggest(text, known) : [];

  const type = (next: string) => {
    setText(next);
    setAt(-1);
    setIsOpen(true);
    box.current?.focus();
  };
  const ask = (changes: Record<string, string | null>) => {
    setText("");
    setAt(-1);
    setIsOpen(false);
    if (Object.keys(changes).length > 0) go(changes);
  };
  const choose = (suggestion: Suggestion) => {
    if (suggestion.kind === "field") return type(`${suggestion.name}:`);
    if (suggestion.kind === "text") return ask({ q: suggestion.text });
    const { name, value, isExcluded } = suggestion;
    if (isFilter(name) && (name === "security_event" || name === "min_response_time_ms" || name === "q")) {
      return ask({ [name]: value });
    }
    // Keep the values typed before the last comma, and the active ones.
    const { include, exclude } = parseFilter(typedFilter(text)?.typed.split(",").slice(0, -1).join(","));
    const before = [params[name], formatFilter({ include, exclude })].filter(Boolean).join(",");
    ask({ [name]: before === "" ? onlyValue(value, isExcluded) : withValue(before, value, isExcluded) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = suggestions[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isOpen) setIsOpen(true);
      const count = suggestions.length + 1;
      const step = event.key === "ArrowDown" ? 1 : -1;
      // One of the positions is the box itself, with the typed text.
      setAt(((at + 1 + step + count) % count) - 1);
    } else if (event.key === "Enter") {
      if (chosen) choose(chosen);
      else ask(parseSearch(text, known));
    } else if (event.key === "Escape" && (isOpen || text !== "")) {
      if (!isOpen) setText("");
      setIsOpen(false);
      setAt(-1);
    } else if (event.key === "Backspace" && text === "" && filters.length > 0) {
      go({ [filters.at(-1)?.[0] ?? ""]: null });
    } else return;
    event.preventDefault();
  };
  return (
    <search
      className="relative mx-4 mb-3 block sm:mx-5"
      aria-busy={isGoing}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <div className="flex min-h-8 flex-wrap items-center gap-1 rounded-sm border border-strong bg-panel px-1 py-[3px] hover:border-third/60 focus-within:border-seal">
        <Search size={14} aria-hidden="true" className="mx-1 shrink-0 text-third" />
        {filters.length > 0 && (
          <ul aria-label="Active filters" className="contents">
            {filters.map(([name, value]) => (
              <FilterToken
                key={name}
                name={name}
                text={value}
                known={known}
                onEdit={() => type(`${name}:${value.includes(" ") ? `"${value}"` : value}`)}
              />
            ))}
          </ul>
        )}
        <input
          ref={box}
          role="combobox"
          aria-label="Filter"
          aria-expanded={suggestions.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          placeholder={filters.length > 0 ? "" : "Filter or search…"}
          value={text}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          enterKeyHint="search"
          onChange={(event) => type(event.target.value)}
          onClick={() => setIsOpen(true)}
          onFocus={() => setIsOpen(true)}
          onKeyDown={onKeyDown}
          className="h-6 min-w-32 flex-1 rounded-xs bg-transparent px-1 pointer-coarse:h-8 pointer-coarse:text-lg"
        />
        {filters.length > 1 && (
          <Link
            prefetch={false}
            href={hrefOf(Object.fromEntries(filters.map(([name]) => [name, null])))}
            className="rounded-xs px-1 text-seal hover:underline"
          >
            Clear all filters
          </Link>
        )}
        <span className="px-1 leading-none pointer-coarse:hidden" aria-hidden="true">
          <Kbd>/</Kbd>
        </span>
      </div>
      <SuggestionList id={id} suggestions={suggestions} at={at} onChoose={choose} />
    </search>
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
