"use client";

import { useEffect, useState } from "react";
import { StatusCode } from "@/components/audit-logs/events/cells";
import { openStream } from "@/components/audit-logs/events/open-stream";
import { readNextPage } from "@/components/audit-logs/events/read-page";
import { Time } from "@/components/time/time";
import { LinkButton } from "@/components/ui/button";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { SESSION_OVER } from "@/lib/text/session-over";

type State = { kind: "waiting" | "cut" | "over" } | { kind: "seen"; event: AuditEvent };

/** Listens to the audit log until it has the key's first request, then shows it. Waiting sends no requests. */
export function FirstRequest({ apiKeyId, onSeen }: { apiKeyId: string; onSeen: () => void }) {
  const [state, setState] = useState<State>({ kind: "waiting" });
  const isSeen = state.kind === "seen";
  useEffect(() => {
    if (isSeen) return;
    const see = (event: AuditEvent) => setState({ kind: "seen", event });
    return openStream(`/api/v1/audit-logs/stream?api_key_id=${apiKeyId}`, {
      open(isResumed) {
        setState({ kind: "waiting" });
        // The key may have been used before the stream opened.
        if (!isResumed) void firstOf(apiKeyId).then((event) => event && see(event));
      },
      cut: () => setState({ kind: "cut" }),
      over: () => setState({ kind: "over" }),
      events: { audit_event: (event) => see(event as AuditEvent) },
    });
  }, [apiKeyId, isSeen]);
  useEffect(() => {
    if (isSeen) onSeen();
  }, [isSeen, onSeen]);
  if (state.kind === "seen") {
    const { event } = state;
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
      {waitingWords[state.kind]}
    </p>
  );
}

const waitingWords = {
  waiting: "Waiting for the first request with this key…",
  cut: "The audit log is unavailable right now. Retrying…",
  over: SESSION_OVER,
};

/** A request of the key that is stored already; null if there is none or the log cannot be read. */
async function firstOf(apiKeyId: string): Promise<AuditEvent | null> {
  const query = { api_key_id: apiKeyId, limit: "1", order: "asc" };
  const page = await readNextPage({ query, cursor: undefined }).catch(() => null);
  return page?.events[0] ?? null;
}
