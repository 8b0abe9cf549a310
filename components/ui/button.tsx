import Link from "next/link";
import type { ComponentProps } from "react";
import { cx } from "@/components/ui/cx";

type ButtonKind = "plain" | "primary" | "danger" | "quiet";

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

interface Look {
  kind?: ButtonKind;
  /** A square button with only an icon; it needs an `aria-label`. */
  icon?: boolean;
}

/** A button; `pending` shows a spinner and ignores further clicks. */
export function Button({
  kind = "plain",
  icon = false,
  pending = false,
  className,
  children,
  onClick,
  ...rest
}: ComponentProps<"button"> & Look & { pending?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest["aria-disabled"] || undefined}
      onClick={(event) => {
        if (pending || rest["aria-disabled"]) event.preventDefault();
        else onClick?.(event);
      }}
      className={cx(buttonClass(kind, icon), className)}
    >
      {pending && <Spinner />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({ kind = "plain", icon = false, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={cx(buttonClass(kind, icon), className)} />;
}

function Spinner() {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" className="animate-spin" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M14 8a6 6 0 0 0-6-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
