"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { FilterChanges } from "@/components/audit-logs/filters/change-filters";
import {
  type Completion,
  loadCompletion,
  useLookedUp,
  useSecret,
} from "@/components/audit-logs/filters/completion/completion-loader";
import type { Clock, Suggestion } from "@/components/audit-logs/filters/completion/suggest";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { showToast } from "@/components/ui/toast";

/** The text in the filter box, with its suggestions: what keys and choices do. A form takes the text when it is submitted. */
export function useFilterInput({
  box,
  params,
  last,
  known,
  clock,
  learn,
  onChange,
  onTyping,
}: {
  box: RefObject<HTMLInputElement | null>;
  params: Record<string, string>;
  /** The name of the last filter, which Backspace removes. */
  last: string | undefined;
  known: KnownValues;
  /** Null if neither times nor entries are offered. */
  clock: Clock | null;
  /** Called with a chosen value that only the server knew. */
  learn: (suggestion: Suggestion) => void;
  onChange: (changes: FilterChanges) => void;
  /** Called when text is in the box that is not a filter yet. */
  onTyping: ((isTyping: boolean) => void) | undefined;
}) {
  const router = useRouter();
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [completion, setCompletion] = useState<Completion | null>(null);
  // Null until the reader moves: then the first suggestion for the typed text is selected. After that, what the server finds waits.
  const [moved, setMoved] = useState<{ at: number; lookedUp: readonly Suggestion[] } | null>(null);
  const secret = useSecret(text, completion, setText);
  const answered = useLookedUp(secret === null ? text : "", completion, known, clock !== null);
  const lookedUp = moved?.lookedUp ?? answered;
  const suggestions = (isOpen && (secret ?? completion?.suggest(text, known, clock, lookedUp))) || [];
  const at = moved?.at ?? (text.trim() === "" || suggestions.length === 0 ? -1 : 0);

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
    if (suggestion.kind === "page") return router.push(suggestion.href);
    if (suggestion.kind === "field") return type(`${suggestion.name}:`);
    if (lookedUp.includes(suggestion)) learn(suggestion);
    ask(changesOf(suggestion, text, params, known));
  };
  const enter = async () => {
    // Somebody may be faster than the network.
    const loaded = completion ?? (await loadCompletion());
    if (loaded.secretIn(text) !== null) return;
    const chosen =
      completion === null && text.trim() !== "" ? loaded.suggest(text, known, clock, lookedUp)[0] : suggestions[at];
    const isChosen = chosen !== undefined && (moved !== null || !loaded.isTyped(text, chosen));
    if (isChosen && chosen.kind !== "note") choose(chosen, loaded);
    else ask(loaded.typedChanges(text, known, clock));
  };
  const takeTyped = useEffectEvent((event: SubmitEvent) => {
    if (text.trim() === "") return;
    // Before the form's own handler runs.
    if (completion !== null) return flushSync(() => ask(completion.typedChanges(text, known, clock)));
    // Without its filter, the form would concern all entries: it is submitted when the text is understood.
    event.preventDefault();
    event.stopPropagation();
    const { currentTarget, submitter } = event;
    loadCompletion().then(
      (loaded) => {
        flushSync(() => setCompletion(loaded));
        (currentTarget as HTMLFormElement).requestSubmit(submitter);
      },
      () => showToast("The filter could not be read. Try again."),
    );
  });
  useEffect(() => {
    const form = box.current?.form;
    const take = (event: SubmitEvent) => takeTyped(event);
    form?.addEventListener("submit", take, true);
    return () => form?.removeEventListener("submit", take, true);
  }, [box]);
  const isTyping = text.trim() !== "";
  const notifyTyping = useEffectEvent((typing: boolean) => onTyping?.(typing));
  useEffect(() => notifyTyping(isTyping), [isTyping]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isOpen) open();
      const count = suggestions.length + 1;
      const step = event.key === "ArrowDown" ? 1 : -1;
      // One of the positions is the box itself, with the typed text.
      setMoved({ at: ((at + 1 + step + count) % count) - 1, lookedUp });
    } else if (event.key === "Enter") {
      void enter();
    } else if (event.key === "Escape" && (isOpen || text !== "")) {
      if (!isOpen) setText("");
      setIsOpen(false);
      setMoved(null);
    } else if (event.key === "Backspace" && text === "" && last !== undefined) {
      onChange({ [last]: null });
    } else return;
    event.preventDefault();
  };
  return { text, suggestions, at, completion, open, close: () => setIsOpen(false), type, choose, onKeyDown };
}
