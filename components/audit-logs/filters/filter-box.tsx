"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import {
  type ComponentType,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { FilterToken } from "@/components/audit-logs/filters/filter-token";
import type { Suggestion } from "@/components/audit-logs/filters/suggest";
import type { SuggestionListProps } from "@/components/audit-logs/filters/suggestion-list";
import { filtersIn } from "@/components/audit-logs/views/view";
import { cx } from "@/components/ui/cx";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** What the box needs once it is used, so that the page does not load it first. */
type Completion = typeof import("@/components/audit-logs/filters/completion") & {
  SuggestionList: ComponentType<SuggestionListProps>;
};

async function loadCompletion(): Promise<Completion> {
  const [completion, list] = await Promise.all([
    import("@/components/audit-logs/filters/completion"),
    import("@/components/audit-logs/filters/suggestion-list"),
  ]);
  return { ...completion, ...list };
}

/** The parameters to change; null removes one. */
export type FilterChanges = Record<string, string | null>;

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
  /** Called when text is in the box that is no filter yet. A form takes it when it is submitted. */
  onTyping?: (isTyping: boolean) => void;
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
  const [known, setKnown] = useState(names);
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [completion, setCompletion] = useState<Completion | null>(null);
  // Null until the reader moves: then the first suggestion for the typed text is selected.
  const [moved, setMoved] = useState<number | null>(null);
  const time = { now: useNow(), zone: useTimeZone() };
  const clock = hrefOf === undefined ? null : time;
  const own = useRef<HTMLInputElement>(null);
  const box = input ?? own;
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
  const secret = useSecret(text, completion, setText);
  const filters = filtersIn(params);
  const suggestions = (isOpen && (secret ?? completion?.suggest(text, known, clock))) || [];
  const at = moved ?? (text.trim() === "" || suggestions.length === 0 ? -1 : 0);

  const open = () => {
    setIsOpen(true);
    if (completion === null) loadCompletion().then(setCompletion, () => {});
  };
  const type = (next: string) => {
    setText(next);
    setMoved(null);
    open();
    box.current?.focus();
  };
  const ask = (changes: FilterChanges) => {
    setText("");
    setMoved(null);
    setIsOpen(false);
    if (Object.keys(changes).length > 0) onChange(changes);
  };
  const choose = (suggestion: Suggestion, { changesOf }: Completion) => {
    if (suggestion.kind === "note") return;
    if (suggestion.kind === "field") return type(`${suggestion.name}:`);
    ask(changesOf(suggestion, text, params));
  };
  const enter = async () => {
    // Somebody may be faster than the network.
    const loaded = completion ?? (await loadCompletion());
    if (loaded.secretIn(text) !== null) return;
    const chosen = completion === null && text.trim() !== "" ? loaded.suggest(text, known, clock)[0] : suggestions[at];
    if (chosen && (moved !== null || !loaded.isTyped(text, chosen))) choose(chosen, loaded);
    else ask(loaded.typedChanges(text, known, clock));
  };
  const takeTyped = useEffectEvent(() => {
    if (completion === null || text.trim() === "") return;
    // Before the form's own handler runs.
    flushSync(() => ask(completion.typedChanges(text, known, clock)));
  });
  useEffect(() => {
    const form = box.current?.form;
    const take = () => takeTyped();
    form?.addEventListener("submit", take, true);
    return () => form?.removeEventListener("submit", take, true);
  }, [box]);
  const isTyping = text.trim() !== "";
  const tell = useEffectEvent((typing: boolean) => onTyping?.(typing));
  useEffect(() => tell(isTyping), [isTyping]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isOpen) open();
      const count = suggestions.length + 1;
      const step = event.key === "ArrowDown" ? 1 : -1;
      // One of the positions is the box itself, with the typed text.
      setMoved(((at + 1 + step + count) % count) - 1);
    } else if (event.key === "Enter") {
      void enter();
    } else if (event.key === "Escape" && (isOpen || text !== "")) {
      if (!isOpen) setText("");
      setIsOpen(false);
      setMoved(null);
    } else if (event.key === "Backspace" && text === "" && filters.length > 0) {
      onChange({ [filters.at(-1)?.[0] ?? ""]: null });
    } else return;
    event.preventDefault();
  };
  return (
    <search
      className={cx("relative block", className)}
      aria-busy={isBusy}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
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
        {filters.length > 1 && <ClearAll {...{ filters, onChange, hrefOf }} />}
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

function ClearAll({
  filters,
  onChange,
  hrefOf,
}: Pick<Props, "onChange" | "hrefOf"> & { filters: readonly [string, string][] }) {
  const none = Object.fromEntries(filters.map(([name]) => [name, null]));
  const className = "rounded-xs px-1 text-seal hover:underline";
  if (hrefOf === undefined) {
    return (
      <button type="button" onClick={() => onChange(none)} className={className}>
        Clear all filters
      </button>
    );
  }
  return (
    <Link prefetch={false} href={hrefOf(none)} className={className}>
      Clear all filters
    </Link>
  );
}

/** What is suggested for a pasted secret, of which only the hint stays in the box; null for any other text. */
function useSecret(
  text: string,
  completion: Completion | null,
  setText: (text: string) => void,
): readonly Suggestion[] | null {
  const [answer, setAnswer] = useState<{ hint: string; suggestion: Suggestion } | null>(null);
  useEffect(() => {
    const found = completion?.secretIn(text);
    if (!completion || !found) return;
    const { secret, hint } = found;
    setText(hint);
    setAnswer({ hint, suggestion: { kind: "note", words: "Looking up the secret by its hash…" } });
    void completion.ownerSuggestion(secret).then((suggestion) => setAnswer({ hint, suggestion }));
  }, [text, completion, setText]);
  return answer !== null && answer.hint === text ? [answer.suggestion] : null;
}
