"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";

/** A confirmation for destructive actions: says what will happen, and names the action on the button. */
export function Confirm({
  open,
  onOpenChange,
  title,
  action,
  pending,
  error,
  onConfirm,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The button's label: "Revoke key". */
  action: string;
  pending: boolean;
  error?: string | undefined;
  onConfirm: () => void;
  /** The consequences. */
  children: ReactNode;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={children}>
      {error && (
        <p role="alert" className="rounded-md bg-bad-wash px-3 py-2 text-bad">
          {error}
        </p>
      )}
      <DialogButtons>
        <CancelButton onClick={() => onOpenChange(false)} />
        <Button kind="danger" pending={pending} onClick={onConfirm}>
          {action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
