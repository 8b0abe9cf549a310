"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

/** Redirects to the identity provider. */
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
            location.assign(await signInUrl(callbackUrl));
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

/** The URL of the identity provider's sign-in page, or of our own page with an error. Throws if the server is unreachable. */
async function signInUrl(callbackUrl: string): Promise<string> {
  const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
  const body = new URLSearchParams({ csrfToken, callbackUrl, json: "true" });
  const answer = await fetch("/api/auth/signin/oidc", { method: "POST", body });
  const { url } = (await answer.json()) as { url: string };
  return url;
}
