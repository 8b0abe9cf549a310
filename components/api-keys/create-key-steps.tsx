"use client";

import { KeyForm } from "@/components/api-keys/key-form";
import { NewSecret } from "@/components/api-keys/new-secret";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";

/** The content of the dialog for a new key: the form, then the secret. */
export function CreateKeySteps({
  created,
  onCreated,
  onClose,
}: {
  created: ApiKeyWithSecret | null;
  onCreated: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}) {
  if (created) return <NewSecret apiKey={created} onDone={onClose} />;
  return <KeyForm onCreated={onCreated} onCancel={onClose} />;
}
