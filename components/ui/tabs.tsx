"use client";

import { type ReactNode, useId, useState } from "react";

/** Tabs, switched with a click or the arrow keys. */
export function Tabs({ tabs }: { tabs: { value: string; label: string; content: ReactNode }[] }) {
  const id = useId();
  const [at, setAt] = useState(0);
  return (
    <div>
      <div
        role="tablist"
        className="mb-2 flex gap-3 border-b"
        onKeyDown={(event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (step === undefined) return;
          const next = (at + step + tabs.length) % tabs.length;
          setAt(next);
          event.currentTarget.querySelectorAll("button")[next]?.focus();
        }}
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
            className="-mb-px h-7 border-transparent border-b-2 text-second hover:text-ink aria-selected:border-seal aria-selected:text-ink pointer-coarse:h-9"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]?.value}`}>
        {tabs[at]?.content}
      </div>
    </div>
  );
}
