import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInButton } from "@/components/layout/sign-in-button";
import { Mark } from "@/components/ui/mark";
import { Note } from "@/components/ui/note";
import { currentSession } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Sign in" };

const errors: Record<string, string> = {
  AccessDenied: "Your identity provider did not let you in, or you did not agree to sign in.",
  NoEmail:
    "Your identity provider gave no e-mail address, and Sealwatch needs one. Ask who runs it to release the e-mail claim.",
  OAuthSignin: "The identity provider cannot be reached. Try again in a moment.",
  OAuthCallback:
    "The answer of the identity provider did not fit: the sign-in took too long, or was started in another window. Try again.",
  Callback: "You were known, but the session could not be opened. Try again.",
  SessionRequired: "Your session has ended. Sign in again.",
};

/** Where to go after signing in: only the path of what was asked for, so never another site. */
function safePath(url: string | undefined): string {
  const base = "http://own.invalid";
  if (!url || !URL.canParse(url, base)) return "/";
  const { pathname, search } = new URL(url, base);
  return pathname.startsWith("/") && !pathname.startsWith("//") ? pathname + search : "/";
}

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { error, callbackUrl } = await searchParams;
  const target = safePath(typeof callbackUrl === "string" ? callbackUrl : undefined);
  if ((await currentSession()) !== null) redirect(target);
  return (
    <main className="mx-auto grid min-h-dvh max-w-sm content-center gap-6 px-5 pb-24">
      <div>
        <Mark className="mb-4 size-8" />
        <h1 className="font-semibold text-2xl tracking-tight">Sign in to Sealwatch</h1>
        <p className="mt-1 text-pretty text-second">
          You are sent to your organization’s identity provider and come back here. Sealwatch never sees your password.
        </p>
      </div>
      {typeof error === "string" && (
        <Note tone="bad" alert>
          {errors[error] ?? "The sign-in did not succeed. Try again."}
        </Note>
      )}
      <SignInButton callbackUrl={target} />
    </main>
  );
}
