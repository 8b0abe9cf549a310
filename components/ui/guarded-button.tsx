"use client";

import type { ComponentProps } from "react";
import { useId } from "react";
import { Button, LinkButton } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

/**
 * A button that can be disabled with a reason. It stays focusable, and the reason is its description and tooltip.
 */
export function GuardedButton({
  reason,
  ...rest
}: ComponentProps<typeof Button> & {
  /** Why the button is disabled; null if it is enabled. */
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

/** A link that looks like a button; without its address, and disabled with the reason, if there is one. */
export function GuardedLink({
  reason,
  kind = "plain",
  children,
  ...rest
}: ComponentProps<typeof LinkButton> & {
  /** Why the link is disabled; null if it is enabled. */
  reason: string | null;
}) {
  if (reason === null) {
    return (
      <LinkButton kind={kind} {...rest}>
        {children}
      </LinkButton>
    );
  }
  return (
    <GuardedButton kind={kind} reason={reason}>
      {children}
    </GuardedButton>
  );
}
