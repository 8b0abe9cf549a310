"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from "react";
import { organizationHeaders } from "@/lib/http/page-organization";

/** The number is read again at most this often. */
const EVERY_MS = 30_000;
const TIMEOUT_MS = 10_000;

const Context = createContext(0);

/** What the layout counted; another object each time that the layout is rendered. */
interface Counted {
  count: number;
}

/** The number of open alerts for the navigation. Pages open without their layout, so it is read again when one opens or gets the focus. */
export function OpenAlertsProvider({ counted, children }: { counted: Counted; children: ReactNode }) {
  const path = usePathname();
  const [later, setLater] = useState({ of: counted, count: counted.count });
  const readAt = useRef(0);
  const read = useEffectEvent(async () => {
    if (Date.now() - readAt.current < EVERY_MS || document.visibilityState !== "visible" || !navigator.onLine) return;
    readAt.current = Date.now();
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch("/alerts/open", { signal, headers: organizationHeaders() });
      if (answer.ok) setLater({ of: counted, count: ((await answer.json()) as Counted).count });
    } catch {
      // The number stays as it is.
    }
  });
  useEffect(() => {
    if (counted) readAt.current = Date.now();
  }, [counted]);
  useEffect(() => {
    if (path) void read();
  }, [path]);
  useEffect(() => {
    const onFocus = () => void read();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, []);
  return <Context value={later.of === counted ? later.count : counted.count}>{children}</Context>;
}

/** The number of open alerts, behind the name of their page; nothing if there is none. */
export function OpenAlerts() {
  const count = use(Context);
  if (count === 0) return null;
  return (
    <span className="ml-auto text-bad text-sm tabular-nums">
      {count > 999 ? "999+" : count}
      <span className="sr-only"> open</span>
    </span>
  );
}
