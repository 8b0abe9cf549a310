"use client";

import { useEffect, useState } from "react";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { changesMade } from "@/components/requests/changes";
import { useQuery } from "@/components/requests/use-query";
import { isCoveredBy, matching, searchable } from "@/components/search/narrow";
import type { SearchResult } from "@/lib/search/contract";

const PAUSE_MS = 150;
const KEPT_MS = 60_000;
const NONE: readonly SearchResult[] = [];

interface Search {
  results: readonly SearchResult[];
  /** Whether results for the text may still come. */
  isPending: boolean;
  isError: boolean;
}

/**
 * What the organization has that matches the typed text: asked of the server after a pause, and not at all if the last answer
 * includes it. A text that may be a secret is never sent.
 */
export function useSearch(organizationId: string, typed: string): Search {
  const q = searchable(typed);
  const [asked, setAsked] = useState<string | null>(null);
  // States of what was found, such as that a destination is paused, may have changed since.
  const [changes] = useState(changesMade);
  const { data, isFetching, isError } = useQuery({
    queryKey: ["search", organizationId, changes, asked],
    enabled: asked !== null,
    staleTime: KEPT_MS,
    retry: false,
    queryFn: ({ signal }) =>
      callEndpoint(
        async () => (await import("@/lib/search/contract")).searchOrganization,
        { id: organizationId, q: asked ?? "" },
        signal,
      ),
  });
  const isKnown = q === null || q === asked || (asked !== null && data !== undefined && isCoveredBy(q, asked, data));
  useEffect(() => {
    if (isKnown) return;
    const timer = setTimeout(() => setAsked(q), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [q, isKnown]);
  if (q === null) return { results: NONE, isPending: false, isError: false };
  const results = data?.results ?? NONE;
  return { results: q === asked ? results : matching(results, q), isPending: !isKnown || isFetching, isError };
}
