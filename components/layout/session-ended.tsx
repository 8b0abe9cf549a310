"use client";

import { useEffect, useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { tell } from "@/components/ui/toast";

const CHANNEL = "sealwatch.session";

/**
 * Signing in happens in another tab, so that what was typed here is still here afterwards; this tab learns of it by itself. `who`
 * is the person and organization that this page was made for: what was typed for one must not be sent as another.
 */
export function SessionEnded({ open, who, onClose }: { open: boolean; who: string; onClose: () => void }) {
  const [signedInAs, setSignedInAs] = useState<string | null>(null);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === "string") setSignedInAs(data);
    };
    // Every page that comes up is proof of a session.
    channel.postMessage(who);
    return () => channel.close();
  }, [who]);
  const isAnother = open && signedInAs !== null && signedInAs !== who;
  const isBack = open && signedInAs === who;
  useEffect(() => {
    if (!isBack) return;
    tell("You are signed in again. Go on where you were.");
    onClose();
  }, [isBack, onClose]);
  // What was heard before the session ended says nothing about now.
  useEffect(() => {
    if (!open) setSignedInAs(null);
  }, [open]);
  if (isAnother) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title="You signed in as someone else"
        description="Or into another organization. What you typed here belongs to whom this page was made for, so it is not sent. Copy what you need, then load the page anew."
      >
        <DialogButtons>
          <Button onClick={onClose}>Back to the page</Button>
          <Button kind="primary" onClick={() => window.location.reload()}>
            Load it anew
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open && !isBack}
      onOpenChange={(next) => !next && onClose()}
      title="Your session has ended"
      description="Nothing was changed, and what you typed is still here. Sign in in a new tab; then come back to this one and go on."
    >
      <DialogButtons>
        <Button onClick={onClose}>I have signed in</Button>
        <a href="/sign-in" target="_blank" rel="noreferrer" className={buttonClass("primary")}>
          Sign in in a new tab
        </a>
      </DialogButtons>
    </Dialog>
  );
}
