"use client";

import { ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { HOUR_MS } from "@/lib/time/units";

const snoozes = [
  { words: "For 1 hour", ms: HOUR_MS },
  { words: "For 4 hours", ms: 4 * HOUR_MS },
  { words: "For 1 day", ms: 24 * HOUR_MS },
  { words: "For 3 days", ms: 72 * HOUR_MS },
  { words: "For 1 week", ms: 168 * HOUR_MS },
];

/** A button with the lengths of a snooze. `until` is an RFC 3339 time. */
export function SnoozeMenu({ pending, onSnooze }: { pending: boolean; onSnooze: (until: string) => void }) {
  const trigger = (
    <Button pending={pending}>
      Snooze
      <ChevronDown size={13} aria-hidden="true" />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {snoozes.map(({ words, ms }) => (
        <MenuItem key={ms} onSelect={() => onSnooze(new Date(Date.now() + ms).toISOString())}>
          {words}
        </MenuItem>
      ))}
    </Menu>
  );
}
