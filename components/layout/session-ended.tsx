"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { buttonClass } from "@/components/ui/button-class";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";

const CHANNEL = "sealwatch.session";

/**
 * The user signs in again in another tab, so that input on this page is kept; this tab is notified. `who` is the user and
 * organization that the page was rendered for: input for one must not be sent as another.
 */
export function SessionEnded({ open, who, onClose }: { open: boolean; who: string; onClose: () => void }) {
  const [signedInAs, setSignedInAs] = useState<string | null>(null);
  const hear = useEffectEvent((data: unknown) => {
    // Pages that opened before this one found the session to be over say nothing about the current one.
    if (open && typeof data === "string") setSignedInAs(data);
  });
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => hear(data);
    // A page that renders proves that there is a session.
    channel.postMessage(who);
    return () => channel.close();
  }, [who]);
  const isAnother = open && signedInAs !== null && signedInAs !== who;
  const isBack = open && signedInAs === who;
  useEffect(() => {
    if (!isBack) return;
    showToast("You are signed in again. You can continue.");
    onClose();
  }, [isBack, onClose]);
  useEffect(() => {
    if (!open) setSignedInAs(null);
  }, [open]);
  if (isAnother) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title="You signed in as someone else"
        description="Or you signed in to another organization. This page belongs to the previous session, so what you typed here was not sent. Copy what you need, then reload the page."
      >
        <DialogButtons>
          <Button onClick={onClose}>Back to page</Button>
          <Button kind="primary" onClick={() => window.location.reload()}>
            Reload page
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
      description="Nothing was changed, and what you typed is still here. Sign in in a new tab, then return to this one."
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
