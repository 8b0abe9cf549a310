"use client";

import { useRouter } from "next/navigation";
import { useRotateDestinationSecret } from "@/components/destinations/queries";
import { SigningSecret } from "@/components/notification-channels/signing-secret";
import { failureOf } from "@/components/states/failure";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Dialog, DialogButtons } from "@/components/ui/dialog";

/** Replaces the signing secret, and shows the new one once. */
export function RotateSecret({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const rotate = useRotateDestinationSecret();
  const router = useRouter();
  const secret = rotate.data?.signing_secret ?? null;
  if (secret === null) {
    return (
      <Confirm
        open
        onOpenChange={onClose}
        title={`Rotate the signing secret of ${name}?`}
        action="Rotate secret"
        pending={rotate.isPending}
        error={failureOf(rotate.error).message ?? undefined}
        onConfirm={() => rotate.mutate({ id })}
      >
        <p>For 24 hours, requests are signed with both secrets, so the receiver can switch without losing any.</p>
      </Confirm>
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title={`${name} has a new signing secret`} sticky>
      <div className="grid gap-4">
        <SigningSecret secret={secret} name={name} />
        <DialogButtons>
          <Button
            kind="primary"
            onClick={() => {
              onClose();
              router.refresh();
            }}
          >
            I have stored the secret
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
