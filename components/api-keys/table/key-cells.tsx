"use client";

import { Time } from "@/components/time/time";
import { formatSpan } from "@/components/time/time-format";
import { useNow } from "@/components/ui/reader";
import { plural } from "@/lib/text/counts";

/** The addresses that a key may be used from. */
export function Whitelist({ entries }: { entries: string[] }) {
  if (entries.length === 0) return <span className="text-third">any address</span>;
  const [only] = entries;
  if (entries.length === 1) return <span className="font-mono text-sm">{only}</span>;
  return <span title={entries.join("\n")}>{plural(entries.length, "network")}</span>;
}

/** The date by which the secret should be rotated, or how long that is overdue. */
export function RotationDue({ at }: { at: string }) {
  const late = useNow() - Date.parse(at);
  if (late < 0) return <Time value={at} style="day" />;
  return (
    <span className="text-warn" suppressHydrationWarning>
      {formatSpan(late)} overdue
    </span>
  );
}
