"use client";

import { type ReactNode, Suspense, useState } from "react";

/** The values of a chart as a table, which is made when it is opened. */
export function ShowAsTable({ children }: { children: () => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="ml-auto open:basis-full" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="ml-auto w-max cursor-pointer rounded-xs hover:text-ink">Show as table</summary>
      <Suspense>{isOpen && children()}</Suspense>
    </details>
  );
}
