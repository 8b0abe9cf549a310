"use client";

import { useEffect, useState } from "react";
import type { AuditEvent } from "@/lib/audit-logs/contract";

/** A page that is left open must not grow without end. */
const MOST_KEPT = 500;

/**
 * The events that have come in since the stream was opened, newest first. A broken connection is taken up where it broke off:
 * the browser sends the last id it saw.
 */
export function useLiveEvents(stream: string | null): { arrived: AuditEvent[]; isCut: boolean } {
  const [arrived, setArrived] = useState<AuditEvent[]>([]);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    if (stream === null) return;
    const source = new EventSource(stream);
    source.addEventListener("open", () => setIsCut(false));
    source.addEventListener("error", () => setIsCut(true));
    source.addEventListener("audit_event", ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as AuditEvent;
      setArrived((before) => {
        const others = before.filter(({ id }) => id !== event.id);
        return [event, ...others].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MOST_KEPT);
      });
    });
    return () => {
      source.close();
      setIsCut(false);
    };
  }, [stream]);
  return { arrived, isCut };
}
