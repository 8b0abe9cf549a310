"use client";

import { Search } from "lucide-react";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { ChangeFilters, type FilterChanges } from "@/components/audit-logs/filters/change-filters";
import type { Suggestion } from "@/components/audit-logs/filters/completion/suggest";
import { type FilterName, isFilter, type KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { FilterToken } from "@/components/audit-logs/filters/filter-token";
import { useFilterInput } from "@/components/audit-logs/filters/use-filter-input";
import { filtersIn } from "@/components/audit-logs/views/view";
import { cx } from "@/components/ui/cx";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** Values that the box names in tokens, and more of them that are only for completion. */
export interface FilterNames {
  names: KnownValues;
  later: Promise<KnownValues>;
}

interface Props extends FilterNames {
  /** The filters by name, perhaps among other parameters of a page. */
  params: Record<string, string>;
  onChange: (changes: FilterChanges) => void;
  /** The address of the page with changed parameters. Without it, nothing but filters is offered: no times, and no entry to open. */
  hrefOf?: ((changes: FilterChanges) => string) | undefined;
  /** Attributes of the input, such as its label. */
  control: Pick<
    InputHTMLAttributes<HTMLInputElement>,
    "id" | "placeholder" | "aria-label" | "aria-describedby" | "aria-invalid"
  >;
  /** The input, if something else focuses it. */
  input?: RefObject<HTMLInputElement | null>;
  /** Called when text is in the box that is not a filter yet. A form takes it when it is submitted. */
  onTyping?: ((isTyping: boolean) => void) | undefined;
  isBusy?: boolean;
  className?: string;
  /** Shown at the end of the box. */
  children?: ReactNode;
}

/**
 * The active filters as tokens, and a box to add more: it completes filter names and values, understands what is pasted, and
 * searches for any other text.
 */
export function FilterBox({
  names,
  later,
  params,
  onChange,
  hrefOf,
  control,
  input,
  onTyping,
  isBusy,
  className,
  children,
}: Props) {
  const { known, learn } = useKnown(names, later);
  const time = { now: useNow(), zone: useTimeZone() };
  const own = useRef<HTMLInputElement>(null);
  const box = input ?? own;
  const id = useId();
  const filters = filtersIn(params);
  const { text, suggestions, at, completion, open, close, type, choose, onKeyDown } = useFilterInput({
    box,
    params,
    last: filters.at(-1)?.[0],
    known,
    clock: hrefOf === undefined ? null : time,
    learn,
    onChange,
    onTyping,
  });
  return (
    <search
      className={cx("relative block", className)}
      aria-busy={isBusy}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <div
        className={cx(
          "flex min-h-8 flex-wrap items-center gap-1 rounded-sm border bg-panel px-1 py-[3px] has-[input:focus-visible]:border-seal has-[input:focus-visible]:outline has-[input:focus-visible]:outline-seal",
          control["aria-invalid"] ? "border-bad" : "border-strong hover:border-third/60",
        )}
      >
        <Search size={14} aria-hidden="true" className="mx-1 shrink-0 text-third" />
        {filters.length > 0 && (
          <ul aria-label="Active filters" className="contents">
            {filters.map(([name, value]) => (
              <FilterToken
                key={name}
                name={name}
                text={value}
                known={known}
                onChange={onChange}
                hrefOf={hrefOf}
                onEdit={() => type(`${name}:${value.includes(" ") ? `"${value}"` : value}`)}
              />
            ))}
          </ul>
        )}
        <input
          {...control}
          ref={box}
          role="combobox"
          aria-expanded={suggestions.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          placeholder={filters.length > 0 ? "" : control.placeholder}
          value={text}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          enterKeyHint="search"
          onChange={(event) => type(event.target.value)}
          onClick={open}
          onFocus={open}
          onKeyDown={onKeyDown}
          className="h-6 min-w-32 flex-1 bg-transparent px-1 outline-none pointer-coarse:h-8 pointer-coarse:text-lg"
        />
        {filters.length > 1 && (
          <ChangeFilters
            changes={Object.fromEntries(filters.map(([name]) => [name, null]))}
            onChange={onChange}
            hrefOf={hrefOf}
            className="rounded-xs px-1 text-seal hover:underline"
          >
            Clear all filters
          </ChangeFilters>
        )}
        {children}
      </div>
      {completion && (
        <completion.SuggestionList
          id={id}
          suggestions={suggestions}
          at={at}
          onChoose={(suggestion) => choose(suggestion, completion)}
        />
      )}
    </search>
  );
}

/** The values that the box knows: those of the page, later more, and what was chosen of what the server found. */
function useKnown(names: KnownValues, later: Promise<KnownValues>) {
  const [more, setMore] = useState<KnownValues>({});
  const [learned, setLearned] = useState<KnownValues>({});
  useEffect(() => {
    let isCurrent = true;
    later.then(
      (found) => isCurrent && setMore(found),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [later]);
  const known = useMemo(() => {
    const all: KnownValues = { ...names, ...more };
    const added = Object.entries(learned).map(([name, values]) => [
      name,
      [...(all[name as FilterName] ?? []), ...values],
    ]);
    return { ...all, ...Object.fromEntries(added) };
  }, [names, more, learned]);
  const learn = (suggestion: Suggestion) => {
    if (suggestion.kind !== "value" || !isFilter(suggestion.name)) return;
    const { name, value, words } = suggestion;
    setLearned((before) => ({ ...before, [name]: [...(before[name] ?? []), { value, label: words }] }));
  };
  return { known, learn };
}
