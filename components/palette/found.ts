"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const PAUSE_MS = 250;
const KEPT_MS = 60_000;
/** Of a kind: who needs more goes on typing. */
const MAX_FOUND = 8;

/** What somebody types, once they pause: each search is an entry in the audit log. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The organization's keys, asked for when the first letter is typed and kept for a minute. */
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

/** Endpoints whose host has the text; there may be too many to have them all here. */
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
