import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Mark } from "@/components/layout/mark";
import { Providers } from "@/components/layout/providers";
import { SignInButton } from "@/components/layout/sign-in-button";
import { AcceptInvitation, SignOutButton } from "@/components/organizations/accept-invitation";
import { Time } from "@/components/time/time";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { currentSession } from "@/lib/auth/session";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { findInvitation } from "@/lib/invitations/find";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

const may = {
  admin: "You will be able to view and change everything.",
  read: "You will be able to view everything, but change nothing.",
};

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [invitation, session] = await Promise.all([findInvitation(token), currentSession()]);
  const actor = session?.principal.actor;
  const signedInAs = actor?.type === "user" ? actor.email : null;
  if (invitation === null) {
    return (
      <Frame title="This invitation is not valid" who={signedInAs}>
        <p className="text-pretty text-second">
          It has expired, or was used, withdrawn or replaced by a newer one. Ask for a new invitation.
        </p>
        <LinkButton href="/" className="h-9 justify-self-start pointer-coarse:h-11">
          Go to dashboard
        </LinkButton>
      </Frame>
    );
  }
  const { organization, email, permission, createdBy, expiresAt } = invitation;
  return (
    <Frame title={`Join ${organization.name}`} who={signedInAs}>
      <p className="text-pretty text-second">
        {createdBy} invited <span className="text-ink">{email}</span> to this organization on Sealwatch.{" "}
        {permission === "admin" ? may.admin : may.read} The invitation expires <Time value={expiresAt.toISOString()} />.
      </p>
      {signedInAs === null ? (
        <>
          <p className="text-second">Sign in as {email} to accept it.</p>
          <SignInButton callbackUrl={`/invitations/${token}`} />
        </>
      ) : signedInAs === email ? (
        <AcceptInvitation token={token} cookie={ORGANIZATION_COOKIE} />
      ) : (
        <>
          <Note tone="warn">
            You are signed in as {signedInAs}. Only {email} can accept. Sign out, then open the link again.
          </Note>
          <SignOutButton />
        </>
      )}
    </Frame>
  );
}

function Frame({ title, who, children }: { title: string; who: string | null; children: ReactNode }) {
  return (
    <Providers who={who ?? ""}>
      <main className="mx-auto grid min-h-dvh max-w-sm content-center gap-5 px-5 pb-24">
        <div>
          <Mark className="mb-4 size-8" />
          <h1 className="break-words font-semibold text-2xl tracking-tight">{title}</h1>
        </div>
        {children}
      </main>
    </Providers>
  );
}
