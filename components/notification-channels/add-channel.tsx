"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { useTestChannel } from "@/components/notification-channels/queries";
import { SigningSecret } from "@/components/notification-channels/signing-secret";
import { TestResult } from "@/components/notification-channels/test-result";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { NotificationChannelWithSecret } from "@/lib/notification-channels/contract";

const ChannelForm = lazy(async () => ({
  default: (await import("@/components/notification-channels/channel-form")).ChannelForm,
}));

/** The button that adds a channel, shows a webhook's secret once, and can send a test message. */
export function AddChannel({ canMail, reason }: { canMail: boolean; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<NotificationChannelWithSecret | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    setCreated(null);
    if (created !== null) router.refresh();
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Add channel
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={close}
        sticky={created !== null && created.signing_secret !== null}
        title={created === null ? "Add a channel" : `${created.name} was added`}
        description={
          created === null
            ? "Sealwatch sends alerts to it. Secrets are not shown again here."
            : "Rules that notify every channel now notify this one too."
        }
      >
        {created === null ? (
          <Suspense fallback={<Skeleton className="h-64" />}>
            <ChannelForm canMail={canMail} onCancel={close} onSaved={setCreated} />
          </Suspense>
        ) : (
          <ChannelCreated channel={created} onDone={close} />
        )}
      </Dialog>
    </>
  );
}

function ChannelCreated({ channel, onDone }: { channel: NotificationChannelWithSecret; onDone: () => void }) {
  const test = useTestChannel(false);
  const { id, name, signing_secret } = channel;
  return (
    <div className="grid gap-4">
      {signing_secret !== null && <SigningSecret secret={signing_secret} name={name} />}
      <TestResult test={test} />
      <DialogButtons>
        <Button pending={test.isPending} onClick={() => test.mutate({ id })}>
          {test.isPending ? "Sending…" : "Send test message"}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {signing_secret === null ? "Done" : "I have stored the secret"}
        </Button>
      </DialogButtons>
    </div>
  );
}
