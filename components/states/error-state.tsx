"use client";

import { useTransition } from "react";
import { buttonClass } from "@/components/ui/button-class";
import { cx } from "@/components/ui/cx";

/**
 * Replaces a page that could not be shown. The digest identifies the cause in the server's log. Every page loads it, so its
 * button is a plain one.
 */
export function ErrorState({ digest, retry }: { digest: string | undefined; retry: () => void }) {
  const [pending, startTransition] = useTransition();
  return (
    <div role="alert" className="grid justify-items-start gap-1 px-4 py-10 sm:px-5">
      <h1 className="font-semibold text-xl tracking-tight">This page could not be shown</h1>
      <p className="max-w-prose text-pretty text-second">
        Something went wrong on our side. Nothing that you entered on other pages is affected. Try again. If the problem
        persists, {digest ? "send this reference to the operator:" : "contact the operator."}
      </p>
      {digest && <p className="font-mono text-second text-sm">{digest}</p>}
      <button
        type="button"
        disabled={pending}
        aria-busy={pending || undefined}
        onClick={() => startTransition(retry)}
        className={cx(buttonClass("primary"), "mt-3")}
      >
        Try again
      </button>
    </div>
  );
}
