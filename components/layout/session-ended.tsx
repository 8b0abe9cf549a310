"use client";

import { Button, buttonClass } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";

/** Signing in happens in another tab, so that what was typed here is still here afterwards. */
export function SessionEnded({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Your session has ended"
      description="Nothing was changed, and what you typed is still here. Sign in in a new tab, come back to this one, and try again."
    >
      <DialogButtons>
        <Button onClick={onClose}>I have signed in</Button>
        <a href="/sign-in" target="_blank" rel="noreferrer" onClick={onClose} className={buttonClass("primary")}>
          Sign in in a new tab
        </a>
      </DialogButtons>
    </Dialog>
  );
}
