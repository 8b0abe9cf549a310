"use client";

import { useState } from "react";
import { KeyForm } from "@/components/api-keys/key-form";
import type { KeyAction } from "@/components/api-keys/lazy-key-dialog";
import { NewSecret } from "@/components/api-keys/new-secret";
import { useRevokeApiKey, useRotateApiKey } from "@/components/api-keys/queries";
import { Ago } from "@/components/time/time";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

/** The dialog of one action. */
export function KeyDialog({ action, whitelist, ...props }: Props & { action: KeyAction; whitelist?: string[] }) {
  if (action === "rotate") return <Rotate {...props} />;
  if (action === "revoke") return <Revoke {...props} />;
  const onUpdated = (key: ApiKey) => {
    showToast(`${key.name} was updated. The change applies from its next request.`);
    props.onClose();
  };
  return (
    <Dialog open onOpenChange={props.onClose} title={`Edit ${props.apiKey.name}`}>
      <KeyForm
        apiKey={props.apiKey}
        {...(whitelist && { suggestedWhitelist: whitelist })}
        onUpdated={onUpdated}
        onCancel={props.onClose}
      />
    </Dialog>
  );
}

function LastUse({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.last_used_at === null) return <p className="mt-2">The key has not been used yet.</p>;
  return (
    <p className="mt-2">
      It was last used <Ago value={apiKey.last_used_at} />
      {apiKey.last_used_ip && (
        <>
          {" "}
          from <span className="font-mono text-sm">{apiKey.last_used_ip}</span>
        </>
      )}
      .
    </p>
  );
}

function Rotate({ apiKey, onClose }: Props) {
  const rotate = useRotateApiKey();
  const [rotated, setRotated] = useState<ApiKeyWithSecret | null>(null);
  if (rotated) {
    return (
      <Dialog open onOpenChange={onClose} title="Store the new secret now" sticky wide>
        <NewSecret apiKey={rotated} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Rotate the secret of ${apiKey.name}?`}
      action="Rotate secret"
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ id: apiKey.id }, { onSuccess: setRotated })}
    >
      <p>
        Every client that uses the current secret gets 401 from its next request on. There is no overlap: deploy the new
        secret right away. Later uses of the old secret are flagged in the audit log, so you can see which clients still
        have it.
      </p>
      <LastUse apiKey={apiKey} />
    </Confirm>
  );
}

function Revoke({ apiKey, onClose }: Props) {
  const revoke = useRevokeApiKey();
  const onSuccess = () => {
    showToast(`${apiKey.name} was revoked.`);
    onClose();
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ id: apiKey.id }, { onSuccess })}
    >
      <p>
        Every client that uses this key gets 401 from its next request on. A revoked key cannot be restored. Its entries
        stay in the audit log.
      </p>
      <LastUse apiKey={apiKey} />
    </Confirm>
  );
}
