import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Mark } from "@/components/layout/mark";
import { SignInButton } from "@/components/layout/sign-in-button";
import { Note } from "@/components/ui/note";
import { safePath } from "@/lib/auth/safe-path";
import { currentSession } from "@/lib/auth/session";
import { isRefusalCode, refusals } from "@/lib/sign-in/sign-in-refused";

export const metadata: Metadata = { title: "Sign in" };

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
          You sign in at your organization’s identity provider and then return here. Sealwatch never sees your password.
        </p>
      </div>
      {typeof error === "string" && (
        <Note tone="bad" alert>
          {isRefusalCode(error) ? refusals[error] : refusals.Failed}
        </Note>
      )}
      <SignInButton callbackUrl={target} />
    </main>
  );
}
