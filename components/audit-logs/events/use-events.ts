"use client";

import { useCallback, useRef, useState } from "react";
import { type Feed, readNextPage } from "@/components/audit-logs/events/read-page";
import { noticeSessionEnd } from "@/components/requests/session-end";
import type { AuditEvent } from "@/lib/audit-logs/contract";

type Direction = "up" | "down";

export interface FirstEvents {
  /** In list order, topmost first. */
  events: AuditEvent[];
  /** The two loading directions; the cursor of `up` is null if the list begins at its start. */
  feeds: Record<Direction, Feed>;
  readAt: string;
}

/** The loaded part of the list, and a function that loads more at either end. Concurrent calls load once. */
export function useEvents(first: FirstEvents) {
  const [{ events, feeds }, setRead] = useState<Pick<FirstEvents, "events" | "feeds">>(first);
  const [failed, setFailed] = useState<Direction | null>(null);
  const [reading, setReading] = useState<Direction | null>(null);
  const isReading = useRef(false);
  const readOn = useCallback(
    async (direction: Direction) => {
      const feed = feeds[direction];
      if (isReading.current || feed.cursor === null) return;
      isReading.current = true;
      setReading(direction);
      setFailed(null);
      try {
        const page = await readNextPage(feed);
        setRead((before) => ({
          events: joinPage(before.events, page.events, direction),
          feeds: { ...before.feeds, [direction]: { ...feed, cursor: page.cursor } },
        }));
      } catch (error) {
        noticeSessionEnd(error);
        setFailed(direction);
      }
      isReading.current = false;
      setReading(null);
    },
    [feeds],
  );
  const above = feeds.up.cursor === null ? "nothing" : feeds.up.cursor === undefined ? "untouched" : "begun";
  return { events, readOn, reading, failed, isWhole: feeds.down.cursor === null, above } as const;
}

/** Appends a page at the bottom, or prepends it reversed at the top, without duplicates. */
export function joinPage(events: AuditEvent[], page: AuditEvent[], direction: Direction): AuditEvent[] {
  const known = new Set(events.map(({ id }) => id));
  const others = page.filter(({ id }) => !known.has(id));
  return direction === "down" ? [...events, ...others] : [...others.reverse(), ...events];
}
