"use client";

import type { ComponentProps } from "react";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

/**
 * A button that may be off for a reason. It stays focusable, and the reason is in its description and its tooltip, so that
 * a person learns why without trying.
 */
export function GuardedButton({
  reason,
  ...rest
}: ComponentProps<typeof Button> & {
  /** Why it is off; null when it is not. */
  reason: string | null;
}) {
  const id = useId();
  if (reason === null) return <Button {...rest} />;
  return (
    <Tooltip words={reason}>
      <span className="inline-flex">
        <Button {...rest} aria-disabled="true" aria-describedby={id} />
        <span id={id} className="sr-only">
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}
