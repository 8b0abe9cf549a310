"use client";

import { createContext, use, useLayoutEffect, useMemo, useState } from "react";

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
  const isBusy = running > 0;
  return useMemo(() => ({ isBusy, count }), [isBusy, count]);
}

/** Tells the dialog around that something runs while this is rendered. */
export function Busy() {
  const count = use(WorkContext)?.count;
  useLayoutEffect(() => {
    count?.(1);
    return () => count?.(-1);
  }, [count]);
  return null;
}
