"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { buttonClass } from "@/components/ui/button-class";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";

const CHANNEL = "sealwatch.session";

/**
 * The user signs in again in another tab, so that input on this page is kept; this tab is notified. `who` is the user and
 * organization that the page was rendered for: input for one must not be sent as another. Pages of no organization, such as that of an
 * invitation, have only the user. Another tab may also have selected another organization while the session lasts.
 */
export function SessionEnded({
  open,
  who,
  onClose,
  onReturn,
}: {
  open: boolean;
  who: string;
  onClose: () => void;
  /** Called instead of `onClose` when the session is back. */
  onReturn: () => void;
}) {
  const [signedInAs, setSignedInAs] = useState<string | null>(null);
  const [isSwitched, setIsSwitched] = useState(false);
  const receive = useEffectEvent((data: unknown) => {
    if (typeof data !== "string") return;
    // Pages that opened before this one found the session to be over say nothing about the current one.
    if (open) setSignedInAs(data);
    else setIsSwitched(isOtherOrganization(data, who));
  });
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => receive(data);
    // A page of an organization that renders proves that there is a session, and of whom.
    if (who.includes(" ")) channel.postMessage(who);
    return () => channel.close();
  }, [who]);
  const isBack = open && signedInAs !== null && isSame(signedInAs, who);
  const isAnother = open && signedInAs !== null && !isBack;
  useEffect(() => {
    if (!isBack) return;
    showToast("You are signed in again. You can continue.");
    onReturn();
  }, [isBack, onReturn]);
  useEffect(() => {
    if (!open) setSignedInAs(null);
  }, [open]);
  if (isSwitched && !open) {
    return (
      <Dialog
        open
        onOpenChange={() => setIsSwitched(false)}
        title="You switched the organization in another tab"
        description="This page shows the previous one, and what you save here still goes there. Copy what you need, then reload the page."
      >
        <DialogButtons>
          <Button onClick={() => setIsSwitched(false)}>Back to page</Button>
          <Button kind="primary" onClick={() => window.location.reload()}>
            Reload page
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
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
      description="What you typed is still here, but not saved. Sign in in a new tab, then return to this one."
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

/** Whether a page of `other` shows that the session of `own` is back; a page of no organization needs only the person. */
function isSame(other: string, own: string): boolean {
  return other === own || other.startsWith(`${own} `);
}

/** Whether both are pages of the same person, in different organizations. Pages outside of the dashboard have none. */
function isOtherOrganization(other: string, own: string): boolean {
  const [[email, organization], [ownEmail, ownOrganization]] = [other.split(" "), own.split(" ")];
  return email === ownEmail && organization !== undefined && organization !== (ownOrganization ?? organization);
}
