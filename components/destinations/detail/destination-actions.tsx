"use client";

import { lazy, Suspense, useState } from "react";
import { useDeleteDestination, usePauseDestination, useResumeDestination } from "@/components/destinations/queries";
import { DESTINATIONS } from "@/components/destinations/words";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showFailure } from "@/components/states/show-failure";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { GuardedButton, GuardedLink } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import type { Destination } from "@/lib/destinations/contract";

const Replay = lazy(async () => ({ default: (await import("@/components/destinations/detail/replay")).Replay }));
const RotateSecret = lazy(async () => ({
  default: (await import("@/components/destinations/detail/rotate-secret")).RotateSecret,
}));
const SendTest = lazy(async () => ({ default: (await import("@/components/destinations/detail/send-test")).SendTest }));

/** The part of the sealed log that can be sent again. */
export interface KeptLog {
  epoch: number;
  /** Signed entries. */
  size: number;
  /** Null if none is kept. */
  oldest: number | null;
}

/** The actions of a destination. */
export function DestinationActions({
  destination,
  isSigned,
  log,
  reason,
}: {
  destination: Pick<Destination, "id" | "name" | "state">;
  isSigned: boolean;
  log: KeptLog;
  reason: string | null;
}) {
  const { id, name, state } = destination;
  const [action, setAction] = useState<"replay" | "rotate" | "test" | null>(null);
  const router = useFreshRouter();
  const [pause, resume] = [usePauseDestination(), useResumeDestination()];
  const close = () => setAction(null);
  const isPaused = state === "paused";
  return (
    <>
      <ConfirmedButton
        label="Delete…"
        reason={reason}
        title={`Delete ${name}?`}
        action="Delete destination"
        mutation={useDeleteDestination()}
        variables={{ id }}
        onDone={() => {
          showToast(`${name} was deleted.`);
          router.replace(DESTINATIONS);
        }}
      >
        <p>
          The receiver keeps what it has, but the position in the log is lost. To stop temporarily, pause the
          destination instead.
        </p>
      </ConfirmedButton>
      {isSigned && (
        <GuardedButton reason={reason} onClick={() => setAction("rotate")}>
          Rotate secret…
        </GuardedButton>
      )}
      <GuardedButton reason={reason} onClick={() => setAction("replay")}>
        Replay…
      </GuardedButton>
      <GuardedLink reason={reason} href={`${DESTINATIONS}/${id}/edit`} prefetch={false}>
        Edit
      </GuardedLink>
      {isPaused ? (
        <GuardedButton
          reason={reason}
          pending={resume.isPending}
          onClick={() =>
            resume.mutate({ id }, { onSuccess: () => showToast(`${name} sends again.`), onError: showFailure })
          }
        >
          Resume
        </GuardedButton>
      ) : (
        <GuardedButton
          reason={reason}
          pending={pause.isPending}
          onClick={() =>
            pause.mutate({ id }, { onSuccess: () => showToast(`${name} was paused.`), onError: showFailure })
          }
        >
          Pause
        </GuardedButton>
      )}
      {state === "failing" && (
        <GuardedButton
          reason={reason}
          pending={resume.isPending}
          onClick={() =>
            resume.mutate({ id }, { onSuccess: () => showToast(`${name} is being tried again.`), onError: showFailure })
          }
        >
          Try again now
        </GuardedButton>
      )}
      <GuardedButton kind="primary" reason={reason} onClick={() => setAction("test")}>
        Send test
      </GuardedButton>
      <Suspense>
        {action === "replay" && <Replay id={id} name={name} log={log} isPaused={isPaused} onClose={close} />}
        {action === "rotate" && <RotateSecret id={id} name={name} onClose={close} />}
        {action === "test" && <SendTest id={id} name={name} onClose={close} />}
      </Suspense>
    </>
  );
}
