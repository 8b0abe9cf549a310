import { cx } from "@/components/ui/cx";

export type ButtonKind = "plain" | "primary" | "danger" | "quiet";

const kinds: Record<ButtonKind, string> = {
  plain: "border-strong bg-panel text-ink hover:border-third/60 hover:bg-sunken",
  primary: "border-seal bg-seal text-on-seal hover:bg-seal/90",
  danger: "border-strong bg-panel text-bad hover:border-bad hover:bg-bad-wash",
  quiet: "border-transparent text-second hover:bg-sunken hover:text-ink",
};

/** The class names of a button, for other elements that look like one. */
export function buttonClass(kind: ButtonKind = "plain", icon = false): string {
  return cx(
    "inline-flex h-7 shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-sm border font-medium",
    "pointer-coarse:h-9 transition-colors duration-100 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 disabled:cursor-not-allowed disabled:opacity-55",
    icon ? "w-7 pointer-coarse:w-9" : "px-2.5",
    kinds[kind],
  );
}
