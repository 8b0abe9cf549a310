"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { StatusCode } from "@/components/audit-logs/events/cells";
import { Time } from "@/components/time/time";
import { LinkButton } from "@/components/ui/button";
import { listAuditLogs } from "@/lib/audit-logs/contract";
import { call } from "@/lib/http/client";

const ASK_MS = 2_000;

/** Polls the audit log until it has the key's first request, then shows it. */
export function FirstRequest({ apiKeyId, onSeen }: { apiKeyId: string; onSeen: () => void }) {
  const { data: event, error } = useQuery({
    queryKey: ["first-request", apiKeyId],
    queryFn: async ({ signal }) => {
      const { data } = await call(listAuditLogs, { api_key_id: apiKeyId, limit: 1 }, signal);
      return data[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : ASK_MS),
  });
  const isSeen = event !== undefined && event !== null;
  useEffect(() => {
    if (isSeen) onSeen();
  }, [isSeen, onSeen]);
  if (event) {
    return (
      <div
        role="status"
        className="flex animate-appear flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-seal-wash px-3 py-2"
      >
        <span className="text-ink">
          Request received: <StatusCode code={event.response.status_code} />{" "}
          <span className="font-mono text-sm">
            {event.request?.method} {event.request?.path}
          </span>{" "}
          at <Time value={event.occurred_at} style="clock" />
        </span>
        <LinkButton href={`/audit-logs/${event.id}`}>Open entry</LinkButton>
      </div>
    );
  }
  return (
    <p role="status" className="flex h-7 items-center gap-2">
      <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-seal" />
      {error ? "The audit log is unavailable right now. Retrying…" : "Waiting for the first request with this key…"}
    </p>
  );
}
