"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Views of one thing, one at a time. */
export function Tabs({ tabs }: { tabs: { value: string; label: string; content: ReactNode }[] }) {
  const [first] = tabs;
  if (!first) return null;
  return (
    <Radix.Root defaultValue={first.value}>
      <Radix.List className="mb-2 flex gap-3 border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px h-7 border-transparent border-b-2 text-second hover:text-ink data-[state=active]:border-seal data-[state=active]:text-ink pointer-coarse:h-9"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="rounded-sm">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
