"use client";

import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

/**
 * The platform's modal dialog, shown as long as it is rendered: what is behind it is inert, and the focus returns when it goes.
 * `sticky` keeps Escape and presses beside it from closing it. `onClose` asks whoever renders it to stop.
 */
export function Modal({
  sticky = false,
  onClose,
  children,
  ...rest
}: Omit<ComponentProps<"dialog">, "ref" | "onClose"> & { sticky?: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: out of it, the browser would not give the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const close = () => {
    if (!sticky) onClose();
  };
  return createPortal(
    <dialog
      {...rest}
      ref={dialog}
      onKeyDown={(event) => {
        // Prevented here, and not only at `cancel`, which browsers skip when they are asked twice.
        if (sticky && event.key === "Escape") event.preventDefault();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => {
        // Its content covers it, so what hits the element itself hits the veil.
        if (event.target === event.currentTarget) close();
      }}
    >
      {children}
    </dialog>,
    document.body,
  );
}
