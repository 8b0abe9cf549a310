"use client";

import { type ReactNode, useRef } from "react";
import { place } from "@/components/ui/place";

/** A few words on hover and focus; Escape takes them away. Never the only place where something is said, except why a button is off. */
export function Tooltip({ words, children }: { words: ReactNode; children: ReactNode }) {
  const frame = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const show = () => {
    if (!frame.current || !tip.current) return;
    place(tip.current, frame.current, "start");
    tip.current.showPopover();
  };
  const hide = () => tip.current?.hidePopover();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the control it holds
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
        // The edge that cannot be seen reaches to the control, so that the pointer can come over without it going away.
        className="inset-auto w-max max-w-72 animate-appear overflow-visible whitespace-normal rounded-sm bg-ink px-2 py-1 text-left font-normal font-sans text-canvas text-sm before:absolute before:-inset-1"
      >
        {words}
      </span>
    </span>
  );
}
