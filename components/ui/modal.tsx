"use client";

import { type ComponentProps, type MouseEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

function isOutside({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/**
 * A native modal dialog, open while rendered: the page behind it is inert, and the focus returns when it closes.
 * With `sticky`, Escape and clicks outside do not close it. On `onClose`, the parent must stop rendering it.
 */
export function Modal({
  sticky = false,
  onClose,
  children,
  ...rest
}: Omit<ComponentProps<"dialog">, "ref" | "onClose"> & { sticky?: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed before it leaves the page: the browser returns the focus only then.
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
        // `cancel` alone is not enough: browsers skip it for a second Escape.
        if (sticky && event.key === "Escape") event.preventDefault();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => {
        // By its place, because the element's own scrollbar belongs to it as the backdrop does.
        if (event.target === event.currentTarget && isOutside(event)) close();
      }}
    >
      {children}
    </dialog>,
    document.body,
  );
}
