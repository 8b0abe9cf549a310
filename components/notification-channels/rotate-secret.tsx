"use client";

import { useRouter } from "next/navigation";
import { SigningSecret } from "@/components/notification-channels/signing-secret";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Dialog, DialogButtons } from "@/components/ui/dialog";

interface Rotation {
  data: { signing_secret: string | null } | undefined;
  error: Error | null;
  isPending: boolean;
  mutate: (input: { id: string }) => void;
}

/** Replaces the secret that signs what is sent to a channel or destination (`sent`, plural), and shows the new one once. */
export function RotateSecret({
  id,
  name,
  sent,
  rotation,
  onClose,
}: {
  id: string;
  name: string;
  sent: "messages" | "requests";
  rotation: Rotation;
  onClose: () => void;
}) {
  const router = useRouter();
  const secret = rotation.data?.signing_secret ?? null;
  if (secret === null) {
    return (
      <Confirm
        open
        onOpenChange={onClose}
        title={`Rotate the signing secret of ${name}?`}
        action="Rotate secret"
        pending={rotation.isPending}
        error={rotation.error}
        onConfirm={() => rotation.mutate({ id })}
      >
        <p>For 24 hours, {sent} are signed with both secrets, so the receiver can switch without losing any.</p>
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
