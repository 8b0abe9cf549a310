"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { Suggestion } from "@/components/audit-logs/filters/suggest";
import type { SuggestionListProps } from "@/components/audit-logs/filters/suggestion-list";

/** What the box needs once it is used, so that the page does not load it first. */
export type Completion = typeof import("@/components/audit-logs/filters/completion") & {
  SuggestionList: ComponentType<SuggestionListProps>;
};

export async function loadCompletion(): Promise<Completion> {
  const [completion, list] = await Promise.all([
    import("@/components/audit-logs/filters/completion"),
    import("@/components/audit-logs/filters/suggestion-list"),
  ]);
  return { ...completion, ...list };
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
