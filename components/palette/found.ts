"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const PAUSE_MS = 250;
const KEPT_MS = 60_000;
/** Results per type; more typing narrows them. */
const MAX_FOUND = 8;

/** The typed text after a pause, because each search adds an entry to the audit log. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The organization's keys, fetched when the first letter is typed and cached for a minute. */
export function useFoundKeys(typed: string) {
  return useQuery({
    queryKey: ["palette", "keys"],
    enabled: typed !== "",
    staleTime: KEPT_MS,
    queryFn: async ({ signal }) => {
      const [{ call }, { listApiKeys }] = await Promise.all([
        import("@/lib/http/client"),
        import("@/lib/api-keys/contract"),
      ]);
      return (await call(listApiKeys, { limit: 200 }, signal)).data;
    },
  });
}

/** Endpoints whose host contains the text. Searched on the server, because there may be many. */
export function useFoundEndpoints(typed: string) {
  const q = useSettled(typed.trim().toLowerCase());
  return useQuery({
    queryKey: ["palette", "endpoints", q],
    enabled: q.length > 1 && q === typed.trim().toLowerCase(),
    staleTime: KEPT_MS,
    queryFn: async ({ signal }) => {
      const [{ call }, { listCertificateEndpoints }] = await Promise.all([
        import("@/lib/http/client"),
        import("@/lib/certificates/contract"),
      ]);
      return (await call(listCertificateEndpoints, { q, limit: MAX_FOUND }, signal)).data;
    },
  });
}
