"use client";

import { useState } from "react";
import { remember } from "@/components/layout/remember";
import { signOut } from "@/components/layout/sign-out";
import { useSelfServiceAction } from "@/components/organizations/queries";
import { failureOf } from "@/components/states/failure";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

/** Accepts the invitation and opens the organization. */
export function AcceptInvitation({ token, cookie }: { token: string; cookie: string }) {
  const accept = useSelfServiceAction<{ token: string }>("accept-invitation");
  const error = failureOf(accept.error).message;
  return (
    <>
      {error && (
        <Note tone="bad" alert>
          {error}
        </Note>
      )}
      <Button
        kind="primary"
        className="h-9 pointer-coarse:h-11"
        pending={accept.isPending || accept.isSuccess}
        onClick={() =>
          accept.mutate(
            { token },
            {
              onSuccess: ({ organization_id }) => {
                remember(cookie, organization_id ?? null);
                window.location.assign("/");
              },
            },
          )
        }
      >
        Accept invitation
      </Button>
    </>
  );
}

/** Signs out here and at the identity provider, so that somebody else can sign in. */
export function SignOutButton() {
  const [pending, setPending] = useState(false);
  return (
    <Button
      pending={pending}
      className="h-9 pointer-coarse:h-11"
      onClick={async () => {
        setPending(true);
        setPending(await signOut());
      }}
    >
      Sign out
    </Button>
  );
}
