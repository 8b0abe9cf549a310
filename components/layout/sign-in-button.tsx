"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

/** Sends the person to the identity provider. */
export function SignInButton({ callbackUrl }: { callbackUrl: string }) {
  const [state, setState] = useState<"idle" | "leaving" | "failed">("idle");
  return (
    <>
      {state === "failed" && (
        <Note tone="bad" alert>
          Sealwatch cannot be reached. Check your connection, then try again.
        </Note>
      )}
      <Button
        kind="primary"
        pending={state === "leaving"}
        className="h-9 pointer-coarse:h-11"
        onClick={async () => {
          setState("leaving");
          try {
            const { signIn } = await import("next-auth/react");
            await signIn("oidc", { callbackUrl });
          } catch {
            setState("failed");
          }
        }}
      >
        Sign in
      </Button>
    </>
  );
}
