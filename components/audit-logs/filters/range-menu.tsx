"use client";

import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { readView } from "@/components/audit-logs/views/view";
import { formatTime } from "@/components/time/time-format";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useNow, useTimeZone } from "@/components/ui/reader";
import { ranges } from "@/lib/audit-views/ranges";

const CUSTOM = "custom";

/** Loaded when it opens. */
const CustomRange = lazy(async () => ({
  default: (await import("@/components/audit-logs/filters/custom-range")).CustomRange,
}));

/** Selects the time range of the list. */
export function RangeMenu() {
  const { asked: params, go: change } = useExplorerView();
  const { range } = readView(params, 0);
  const zone = useTimeZone();
  const now = useNow();
  const [choosing, setChoosing] = useState(false);
  const go = (changes: Record<string, string | null>) => change({ range: null, since: null, until: null, ...changes });
  const label = ranges.find(({ value }) => value === range)?.label ?? stretchWords(params, zone, now);
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={`Range: ${label}`}>
            <span suppressHydrationWarning>{label}</span>
            <ChevronDown size={13} className="text-third" aria-hidden="true" />
          </Button>
        }
      >
        <MenuChoice
          label="Range"
          value={range ?? CUSTOM}
          choices={[
            ...ranges.map(({ value, label }) => ({ value: value as string, label })),
            { value: CUSTOM, label: "Custom range…" },
          ]}
          onChange={(value) => (value === CUSTOM ? setChoosing(true) : go({ range: value }))}
        />
      </Menu>
      <Suspense>
        {choosing && (
          <CustomRange since={params.since} until={params.until} onClose={() => setChoosing(false)} onChoose={go} />
        )}
      </Suspense>
    </>
  );
}

/** `21 Nov 2026, 13:00 – 14:00`, `since …`, `until …`. */
function stretchWords({ since, until }: Record<string, string>, zone: string, now: number): string {
  const [from, to] = [since, until].map((text) => Date.parse(text ?? ""));
  const words = (time: number | undefined) =>
    time === undefined || Number.isNaN(time) ? null : formatTime(time, "minute", zone, now);
  const [first, last] = [words(from), words(to)];
  if (first === null) return last === null ? "Custom range" : `Until ${last}`;
  if (last === null) return `Since ${first}`;
  const [day] = first.split(",");
  return `${first} – ${last.startsWith(`${day},`) ? last.slice((day ?? "").length + 2) : last}`;
}
