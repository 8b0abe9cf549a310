"use client";

import { Command } from "cmdk";
import type { ReactNode } from "react";
import { matches } from "@/components/palette/matches";

/** Begins the value of items that are offered whatever their label: they match by something else. */
const ALWAYS = "always ";
const WEAK = 0.3;
const BY_WORDS = 0.5;

/** One thing that the palette offers. */
export function Item({
  id,
  label,
  words = "",
  note,
  reason = null,
  always = false,
  onSelect,
}: {
  id: string;
  label: string;
  /** Other words by which it is found. */
  words?: string;
  note?: ReactNode;
  /** Why it is disabled. */
  reason?: string | null;
  /** Whether it matches the typed text by something other than its words. */
  always?: boolean;
  onSelect: () => void;
}) {
  return (
    <Command.Item
      value={`${always ? ALWAYS : ""}${id}`}
      keywords={[label, words]}
      disabled={reason !== null}
      onSelect={onSelect}
      className="flex min-h-7 scroll-my-1.5 select-none items-center justify-between gap-4 rounded-sm px-2 py-1 aria-disabled:text-third data-[selected=true]:bg-seal-wash pointer-coarse:min-h-10"
    >
      <span dir="auto" className="min-w-0 truncate">
        {label}
      </span>
      {reason !== null ? (
        <span className="shrink-0 text-sm">not with your permission</span>
      ) : (
        note && <span className="max-w-[45%] shrink-0 truncate text-second text-sm">{note}</span>
      )}
    </Command.Item>
  );
}

/** How well an item matches the typed text: by its label, else by its other words. */
export function score(value: string, typed: string, [label = "", words = ""]: string[] = []): number {
  const byWords = words === "" ? 0 : BY_WORDS * matches(`${label} ${words}`, typed);
  return Math.max(matches(label, typed), byWords, value.startsWith(ALWAYS) ? WEAK : 0);
}
