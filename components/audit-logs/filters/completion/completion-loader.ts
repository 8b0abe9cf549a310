"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { Suggestion } from "@/components/audit-logs/filters/completion/suggest";
import type { SuggestionListProps } from "@/components/audit-logs/filters/completion/suggestion-list";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";

/** How long typing pauses before the server is asked, in milliseconds. */
const PAUSE_MS = 150;

/** What the box needs once it is used, so that the page does not load it first. */
export type Completion = typeof import("@/components/audit-logs/filters/completion/completion") &
  typeof import("@/components/audit-logs/filters/completion/look-up") & {
    SuggestionList: ComponentType<SuggestionListProps>;
  };

export async function loadCompletion(): Promise<Completion> {
  const [completion, asking, list] = await Promise.all([
    import("@/components/audit-logs/filters/completion/completion"),
    import("@/components/audit-logs/filters/completion/look-up"),
    import("@/components/audit-logs/filters/completion/suggestion-list"),
  ]);
  return { ...completion, ...asking, ...list };
}

/** What is suggested for a pasted secret, of which only the hint stays in the box; null for any other text. */
export function useSecret(
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

const NONE: readonly Suggestion[] = [];

/** What the server knows about the typed text and the page does not. */
export function useLookedUp(
  text: string,
  completion: Completion | null,
  known: KnownValues,
  mayOpenPages: boolean,
): readonly Suggestion[] {
  const [answer, setAnswer] = useState<{ text: string; found: readonly Suggestion[] } | null>(null);
  useEffect(() => {
    const asked = completion?.askedAbout(text, known, mayOpenPages) ?? null;
    if (completion === null || asked === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      completion.lookUp(asked, stop.signal).then(
        (found) => setAnswer({ text, found }),
        () =>
          !stop.signal.aborted && setAnswer({ text, found: [{ kind: "note", words: "It could not be looked up." }] }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, completion, known, mayOpenPages]);
  return answer?.text === text ? answer.found : NONE;
}
