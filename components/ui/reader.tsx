"use client";

import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { remember } from "@/components/layout/remember";
import { TIME_ZONE_COOKIE } from "@/components/time/time-zone-cookie";

const TICK_MS = 10_000;

/** The time zone and the current time that the server rendered with; the browser's first paint must use the same. */
interface Reader {
  timeZone: string;
  now: number;
}

const ReaderContext = createContext<Reader>({ timeZone: "UTC", now: 0 });

/** Provides the reader's time zone to all times below it, and stores it in a cookie for the server. */
export function ReaderProvider({ timeZone, now, children }: Reader & { children: ReactNode }) {
  useEffect(() => {
    const zone = browserZone();
    if (zone !== timeZone) remember(TIME_ZONE_COOKIE, zone);
  }, [timeZone]);
  return <ReaderContext value={{ timeZone, now }}>{children}</ReaderContext>;
}

function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function neverChanges() {
  return () => {};
}

/** The reader's IANA time zone: the server's value until hydration, then the browser's. */
export function useTimeZone(): string {
  const { timeZone } = use(ReaderContext);
  return useSyncExternalStore(neverChanges, browserZone, () => timeZone);
}

let tick = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function onTick(listener: () => void) {
  listeners.add(listener);
  tick = Date.now();
  timer ??= setInterval(() => {
    tick = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time in Unix milliseconds, updated every ten seconds; all times on a page share a clock. */
export function useNow(): number {
  const { now } = use(ReaderContext);
  return useSyncExternalStore(
    onTick,
    () => tick,
    () => now,
  );
}
