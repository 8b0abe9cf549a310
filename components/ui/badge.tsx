import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

export type Tone = "neutral" | "seal" | "bad" | "warn" | "good";

const tones: Record<Tone, string> = {
  neutral: "inset-ring inset-ring-line bg-sunken text-second",
  seal: "bg-seal-wash text-seal",
  bad: "bg-bad-wash text-bad",
  warn: "bg-warn-wash text-warn",
  good: "bg-transparent text-good",
};

/** The text color of each tone. */
export const toneText: Record<Tone, string> = {
  neutral: "text-second",
  seal: "text-seal",
  bad: "text-bad",
  warn: "text-warn",
  good: "text-good",
};

/** A small tag. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={cx("inline-flex h-[18px] items-center whitespace-nowrap rounded-xs px-1.5 text-xs", tones[tone])}>
      {children}
    </span>
  );
}

/** A colored dot with a label, for a state. With `wraps`, a long label continues on the next line on phones. */
export function Status({ tone, wraps = false, children }: { tone: Tone; wraps?: boolean; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 whitespace-nowrap",
        wraps && "max-sm:whitespace-normal",
        toneText[tone],
      )}
    >
      <span className="size-1.5 shrink-0 rounded-full bg-current" aria-hidden="true" />
      {children}
    </span>
  );
}
