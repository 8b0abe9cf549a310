"use client";

import type { ReactNode } from "react";
import { failureOf } from "@/components/states/failure";
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
  /** Of the action; null or undefined if it has not failed. */
  error: unknown;
  onConfirm: () => void;
  /** The consequences. */
  children: ReactNode;
}) {
  const { message } = failureOf(error);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={children}>
      {message !== null && (
        <p role="alert" className="rounded-md bg-bad-wash px-3 py-2 text-bad">
          {message}
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
