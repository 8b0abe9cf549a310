"use client";

import { firstCall } from "@/components/api-keys/first-call";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { DialogButtons } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";

/** The secret, shown once, and a request that uses it. */
export function NewSecret({ apiKey, onDone }: { apiKey: ApiKeyWithSecret; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        This is the only time the secret is shown. Sealwatch stores only a fingerprint and cannot show it again. If you
        lose it, rotate the secret.
      </Note>
      <section>
        <h3 className="mb-1 font-medium">Secret of {apiKey.name}</h3>
        <CodeBlock text={apiKey.secret} what="the secret" wrap />
      </section>
      <section>
        <h3 className="mb-1 font-medium">Try it</h3>
        <CodeBlock text={firstCall(apiKey.secret, window.location.origin)} what="the command" wrap />
      </section>
      <DialogButtons>
        <Button kind="primary" onClick={onDone}>
          I have stored the secret
        </Button>
      </DialogButtons>
    </div>
  );
}
