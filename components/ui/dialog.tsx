"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";

/**
 * A dialog over the page: on phones it rises from the bottom edge. With `sticky` only its own buttons close it, for what
 * would be lost by a stray click.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  sticky = false,
  wide = false,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  sticky?: boolean;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          {...(description === undefined && { "aria-describedby": undefined })}
          onInteractOutside={(event) => sticky && event.preventDefault()}
          onEscapeKeyDown={(event) => sticky && event.preventDefault()}
          className={cx(
            "fixed inset-x-0 bottom-0 z-50 mx-auto max-h-[92dvh] animate-appear overflow-y-auto rounded-t-lg bg-panel p-5 shadow-float outline-none",
            "sm:top-[12dvh] sm:bottom-auto sm:max-h-[80dvh] sm:w-[calc(100%-2rem)] sm:rounded-lg",
            wide ? "sm:max-w-2xl" : "sm:max-w-md",
          )}
        >
          <div className={cx("mb-4 grid gap-1", !sticky && "pr-8")}>
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="text-pretty text-second">{description}</div>
              </Radix.Description>
            )}
          </div>
          {children}
          {/* Last, so that the first control of the content takes the focus. */}
          {!sticky && (
            <Radix.Close asChild>
              <Button kind="quiet" icon aria-label="Close" className="absolute top-4 right-3">
                <X size={15} aria-hidden="true" />
              </Button>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog; the last one does the work. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
