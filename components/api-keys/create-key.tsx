"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";

// The form brings the validation library, and most visits to the page do not open it.
const CreateKeySteps = lazy(async () => ({
  default: (await import("@/components/api-keys/create-key-steps")).CreateKeySteps,
}));

/** The button that creates a key: it opens the form, then shows the secret once. */
export function CreateKey({
  reason,
  onCreated,
}: {
  reason: string | null;
  onCreated?: (key: ApiKeyWithSecret) => void;
}) {
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<ApiKeyWithSecret | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    if (!created) return;
    onCreated?.(created);
    setCreated(null);
    router.refresh();
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Create key
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={(next) => !next && close()}
        title={created ? "Store the secret now" : "Create an API key"}
        sticky={created !== null}
        wide={created !== null}
      >
        <Suspense fallback={<Skeleton className="h-[27rem]" />}>
          <CreateKeySteps created={created} onCreated={setCreated} onClose={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
