"use client";

import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { TIME_ZONE_COOKIE } from "@/components/time/time-zone-cookie";
import { remember } from "@/components/ui/remember";

const TICK_MS = 10_000;

/** What the server took for the reader's zone and for now; the first paint in the browser must say the same. */
interface Reader {
  timeZone: string;
  now: number;
}

const ReaderContext = createContext<Reader>({ timeZone: "UTC", now: 0 });

/** Tells all times below it who reads them, and lets the server know the zone for the next page. */
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

function neverChanges() {
  return () => {};
}

/** The reader's IANA zone: the one the server was told until the page has come alive, then the browser's. */
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

/** Now, in Unix milliseconds, moving on every ten seconds; all times on a page share one clock. */
export function useNow(): number {
  const { now } = use(ReaderContext);
  return useSyncExternalStore(
    onTick,
    () => tick,
    () => now,
  );
}
