"use client";

import { useTransition } from "react";
import { Button } from "@/components/ui/button";

/** What stands in place of a page that could not be shown. The digest finds the reason in the server's log. */
export function ErrorState({ digest, retry }: { digest: string | undefined; retry: () => void }) {
  const [pending, startTransition] = useTransition();
  return (
    <div role="alert" className="grid justify-items-start gap-1 px-4 py-10 sm:px-5">
      <h1 className="font-semibold text-xl tracking-tight">This page could not be shown</h1>
      <p className="max-w-prose text-pretty text-second">
        Something failed on our side; nothing that you entered elsewhere is affected. Try again, and if it stays so,
        tell the operator{digest ? " this reference" : ""}.
      </p>
      {digest && <p className="font-mono text-second text-sm">{digest}</p>}
      <Button kind="primary" className="mt-3" pending={pending} onClick={() => startTransition(retry)}>
        Try again
      </Button>
    </div>
  );
}
