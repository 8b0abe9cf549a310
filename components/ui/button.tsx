import Link from "next/link";
import type { ComponentProps } from "react";
import { Busy } from "@/components/requests/busy";
import { type ButtonKind, buttonClass } from "@/components/ui/button-class";
import { cx } from "@/components/ui/cx";

interface Look {
  kind?: ButtonKind;
  /** A square button with only an icon; it needs an `aria-label`. */
  icon?: boolean;
}

/** A button; `pending` shows a spinner, ignores further clicks, and keeps the dialog around it open. */
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
      {pending && (
        <>
          <Spinner />
          <Busy />
        </>
      )}
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
