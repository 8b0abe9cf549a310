"use client";

import { lazy, Suspense, useState } from "react";
import {
  useDeleteChannel,
  useRotateSigningSecret,
  useTestChannel,
  useUpdateChannel,
} from "@/components/notification-channels/queries";
import { RotateSecret } from "@/components/notification-channels/rotate-secret";
import { testWords } from "@/components/notification-channels/test-result";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showFailure } from "@/components/states/show-failure";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import type { NotificationChannel } from "@/lib/notification-channels/contract";

const ChannelForm = lazy(async () => ({
  default: (await import("@/components/notification-channels/channel-form")).ChannelForm,
}));

/** The actions of a channel. */
export function ChannelActions({
  channel,
  canMail,
  reason,
}: {
  channel: NotificationChannel;
  canMail: boolean;
  reason: string | null;
}) {
  const { id, name, type, state } = channel;
  const [action, setAction] = useState<"edit" | "rotate" | null>(null);
  const router = useFreshRouter();
  const [update, test] = [useUpdateChannel(), useTestChannel()];
  const close = () => setAction(null);
  const isDisabled = state === "disabled";
  return (
    <>
      <ConfirmedButton
        label="Delete…"
        reason={reason}
        title={`Delete ${name}?`}
        action="Delete channel"
        mutation={useDeleteChannel()}
        variables={{ id }}
        onDone={() => {
          showToast(`${name} was deleted.`);
          router.replace("/notification-channels");
        }}
      >
        <p>
          This deletes its message history and pending messages. To stop it temporarily, disable the channel instead.
        </p>
      </ConfirmedButton>
      {type === "webhook" && (
        <GuardedButton reason={reason} onClick={() => setAction("rotate")}>
          Rotate secret…
        </GuardedButton>
      )}
      <GuardedButton reason={reason} onClick={() => setAction("edit")}>
        Edit…
      </GuardedButton>
      <GuardedButton
        reason={reason}
        pending={update.isPending && action === null}
        onClick={() =>
          update.mutate(
            { id, enabled: isDisabled },
            { onSuccess: () => showToast(`${name} was ${isDisabled ? "enabled" : "disabled"}.`), onError: showFailure },
          )
        }
      >
        {isDisabled ? "Enable" : "Disable"}
      </GuardedButton>
      <GuardedButton
        kind="primary"
        reason={reason}
        pending={test.isPending}
        onClick={() => test.mutate({ id }, { onSuccess: (sent) => showToast(testWords(sent)), onError: showFailure })}
      >
        {test.isPending ? "Sending…" : "Send test message"}
      </GuardedButton>
      <Dialog open={action === "edit"} onOpenChange={close} title={`Edit ${name}`}>
        <Suspense fallback={<Skeleton className="h-64" />}>
          <ChannelForm
            channel={channel}
            canMail={canMail}
            onCancel={close}
            onSaved={(saved) => {
              showToast(`${saved.name} was saved.`);
              close();
            }}
          />
        </Suspense>
      </Dialog>
      {action === "rotate" && <Rotate id={id} name={name} onClose={close} />}
    </>
  );
}

function Rotate(props: { id: string; name: string; onClose: () => void }) {
  return <RotateSecret {...props} sent="messages" rotation={useRotateSigningSecret()} />;
}
