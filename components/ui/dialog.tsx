"use client";

import { X } from "lucide-react";
import { type ReactNode, use, useId } from "react";
import { useWork, WorkContext } from "@/components/requests/busy";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Modal } from "@/components/ui/modal";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  sticky?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog, at the bottom edge on phones. With `sticky`, only its own buttons close it, for content that a stray click
 * must not discard. While one of its buttons is pending, it stays open: the result may be shown only once.
 */
export function Dialog({ open, ...rest }: Props) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ onOpenChange, title, description, sticky = false, wide = false, children }: Omit<Props, "open">) {
  const id = useId();
  const work = useWork();
  const close = () => onOpenChange(false);
  return (
    <Modal
      sticky={sticky || work.isBusy}
      onClose={close}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      className={cx(
        "fixed inset-x-0 top-auto bottom-0 mx-auto max-h-[92dvh] w-full max-w-none animate-appear overflow-y-auto overscroll-contain rounded-t-lg bg-panel text-ink shadow-float outline-none backdrop:bg-veil",
        "sm:top-[12dvh] sm:bottom-auto sm:max-h-[80dvh] sm:w-[calc(100%-2rem)] sm:rounded-lg",
        wide ? "sm:max-w-2xl" : "sm:max-w-md",
      )}
    >
      <div className="p-5">
        <div className={cx("mb-4 grid gap-1", !sticky && "pr-8")}>
          <h2 id={`${id}-title`} className="font-semibold text-lg">
            {title}
          </h2>
          {description !== undefined && (
            <div id={`${id}-description`} className="text-pretty text-second">
              {description}
            </div>
          )}
        </div>
        <WorkContext value={work}>{children}</WorkContext>
        {/* Last, so that the first control of the content gets the focus. */}
        {!sticky && (
          <Button
            kind="quiet"
            icon
            aria-label="Close"
            aria-disabled={work.isBusy}
            onClick={close}
            className="absolute top-4 right-3"
          >
            <X size={15} aria-hidden="true" />
          </Button>
        )}
      </div>
    </Modal>
  );
}

/** The row of buttons at the end of a dialog, which stays in view; the last one is the main action. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 mt-2 -mb-5 flex flex-wrap justify-end gap-2 bg-panel pt-3 pb-5">{children}</div>
  );
}

/** The button that closes the dialog around it without doing anything; disabled while the dialog is busy. */
export function CancelButton({ onClick }: { onClick: () => void }) {
  return (
    <Button aria-disabled={use(WorkContext)?.isBusy} onClick={onClick}>
      Cancel
    </Button>
  );
}
