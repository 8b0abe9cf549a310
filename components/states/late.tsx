"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, use, useEffect } from "react";

/**
 * How long a navigation keeps the previous page before it shows placeholders, in milliseconds. React shows a placeholder for at
 * least 300 ms, so one that appears at once would delay every fast page.
 */
const PLACEHOLDER_DELAY_MS = 300;

/** A navigation as old as this, in milliseconds, was abandoned; another navigation to the same page starts over. */
const STALE_MS = 5_000;

interface Navigation {
  address: string;
  at: number;
  isLate: boolean;
  late: Promise<void>;
}

/** The address of the page shown in this browser tab; null before the first page is interactive. */
let shown: string | null = null;
/** The latest navigation of this browser tab. */
let latest: Navigation | null = null;

function begin(address: string): Navigation {
  const late = new Promise<void>((resolve) => setTimeout(resolve, PLACEHOLDER_DELAY_MS));
  const navigation = { address, at: performance.now(), isLate: false, late };
  late.then(() => {
    navigation.isLate = true;
  });
  return navigation;
}

function useAddress(): string {
  return `${usePathname()}?${useSearchParams()}`;
}

/** Placeholders that appear only when a navigation takes long. For fallbacks of Suspense: until then, this suspends as well. */
export function Late({ children }: { children: ReactNode }) {
  const address = useAddress();
  // What loads later on the page that is shown already has its placeholder at once.
  if (shown !== null && address !== shown) {
    if (latest?.address !== address || performance.now() - latest.at > STALE_MS) latest = begin(address);
    if (!latest.isLate) use(latest.late);
  }
  return children;
}

/** Stores which page is shown. */
export function NoteArrival() {
  const address = useAddress();
  useEffect(() => {
    shown = address;
    latest = null;
  }, [address]);
  return null;
}

/** The frame of placeholders, announced to screen readers as loading `what`. */
export function LoadingFrame({ what, className, children }: { what: string; className?: string; children: ReactNode }) {
  return (
    <Late>
      <div aria-busy="true" className={className}>
        <p role="status" className="sr-only">
          Loading: {what}
        </p>
        {children}
      </div>
    </Late>
  );
}
