"use client";

import { type ReactNode, useRef } from "react";
import { positionPopover } from "@/components/ui/position-popover";

/** A tooltip on hover and focus; Escape hides it. Never the only place of information, except why a button is disabled. */
export function Tooltip({ words, children }: { words: ReactNode; children: ReactNode }) {
  const frame = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const show = () => {
    if (!frame.current || !tip.current) return;
    positionPopover(tip.current, frame.current, "start");
    tip.current.showPopover();
  };
  const hide = () => tip.current?.hidePopover();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only detects hover and focus of its control
    <span
      ref={frame}
      className="inline-flex"
      onPointerEnter={show}
      onPointerLeave={(event) => event.pointerType === "mouse" && hide()}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {children}
      <span
        ref={tip}
        popover="manual"
        role="tooltip"
        // An invisible edge reaches the control, so that the pointer can move onto the tooltip.
        className="inset-auto w-max max-w-72 animate-appear overflow-visible whitespace-normal rounded-sm bg-ink px-2 py-1 text-left font-normal font-sans text-canvas text-sm before:absolute before:-inset-1"
      >
        {words}
      </span>
    </span>
  );
}
