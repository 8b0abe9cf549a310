"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { menuClass, onMenuKey } from "@/components/ui/menu";
import { positionPopover } from "@/components/ui/position-popover";

/** A menu that several triggers share, open at `anchor` while it is not null. On close, the focus returns to the anchor. */
export function FloatingMenu({
  anchor,
  label,
  onClose,
  children,
}: {
  anchor: HTMLElement | null;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = menu.current;
    if (anchor === null || shown === null) return;
    anchor.focus({ preventScroll: true });
    positionPopover(shown, anchor, "start");
    shown.showPopover();
    shown.querySelector<HTMLElement>("[role^=menuitem]")?.focus({ preventScroll: true });
    const close = (event: Event) => {
      if (event.target !== shown) shown.hidePopover();
    };
    for (const cause of ["scroll", "resize"]) window.addEventListener(cause, close, true);
    return () => {
      for (const cause of ["scroll", "resize"]) window.removeEventListener(cause, close, true);
    };
  }, [anchor]);
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onToggle={(event) => event.newState === "closed" && onClose()}
      onKeyDown={onMenuKey}
      className={menuClass}
    >
      {children}
    </div>
  );
}
