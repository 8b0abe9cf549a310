"use client";

import { createContext, use, useEffect, useLayoutEffect, useMemo, useState } from "react";

/** After this, in milliseconds, a dialog can be closed although something runs: the connection may be dead. */
const LONGEST_MS = 60_000;

interface Work {
  isBusy: boolean;
  /** Takes 1 when something begins to run, and -1 when it ends. */
  count: (step: 1 | -1) => void;
}

/** What runs in the dialog around; null outside of dialogs. */
export const WorkContext = createContext<Work | null>(null);

export function useWork(): Work {
  const [running, setRunning] = useState(0);
  const [count] = useState(() => (step: 1 | -1) => setRunning((before) => before + step));
  const isRunning = running > 0;
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setIsLong(true), LONGEST_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isRunning]);
  const isBusy = isRunning && !isLong;
  return useMemo(() => ({ isBusy, count }), [isBusy, count]);
}

/** Marks the surrounding dialog as busy while this is rendered. */
export function Busy() {
  const count = use(WorkContext)?.count;
  useLayoutEffect(() => {
    count?.(1);
    return () => count?.(-1);
  }, [count]);
  return null;
}
