"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useSetAnchors } from "@/components/integrity/queries";
import type { AnchorChoice } from "@/components/integrity/read-anchors";
import { failureOf, isRequestFailed } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

interface Props {
  /** The ids of the channels that get checkpoints. */
  chosen: readonly string[];
  choices: readonly AnchorChoice[];
  /** Why the reader may not change them; null if he may. */
  reason: string | null;
}

/** The button that opens the form. */
export function ChooseAnchors({ reason, ...rest }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <GuardedButton reason={reason} onClick={() => setIsOpen(true)}>
        Choose channels…
      </GuardedButton>
      {/* Created each time, so that it shows neither an old choice nor an old error. */}
      {isOpen && <AnchorForm {...rest} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function AnchorForm({ chosen, choices, onClose }: Omit<Props, "reason"> & { onClose: () => void }) {
  const set = useSetAnchors();
  const router = useRouter();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const channel_ids = new FormData(event.currentTarget).getAll("channel").map(String);
    set.mutate(
      { channel_ids },
      {
        onSuccess: ({ channels: { length } }) => {
          const words = length === 0 ? "Checkpoints are no longer sent." : "The channels for checkpoints were saved.";
          showToast(words);
          onClose();
        },
        onError: (error) => {
          // A channel was deleted meanwhile.
          if (isRequestFailed(error) && error.code === "INVALID_REQUEST") router.refresh();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Channels for checkpoints"
      description="Each channel receives the newest checkpoint once a day, to be kept outside of this installation."
    >
      {choices.length === 0 ? (
        <>
          <p className="text-second">
            There is no channel for e-mail or a webhook yet.{" "}
            <Link prefetch={false} href="/notification-channels" className="text-seal underline">
              Add one
            </Link>
          </p>
          <DialogButtons>
            <CancelButton onClick={onClose} />
          </DialogButtons>
        </>
      ) : (
        <form className="grid gap-4" onSubmit={submit}>
          <fieldset className="grid min-w-0 gap-1.5">
            <legend className="mb-1 font-medium">Channels</legend>
            {choices.map(({ id, name }) => (
              <label key={id} className="flex min-w-0 items-center gap-2">
                <input
                  type="checkbox"
                  name="channel"
                  value={id}
                  defaultChecked={chosen.includes(id)}
                  className="size-4 shrink-0 accent-seal"
                />
                <span className="truncate">{name}</span>
              </label>
            ))}
          </fieldset>
          <FormEnd
            error={set.error}
            message={failureOf(set.error).message}
            action="Save"
            pending={set.isPending}
            onCancel={onClose}
          />
        </form>
      )}
    </Dialog>
  );
}
