import { type Config, isLoopback } from "@/lib/config";
import { Refusal } from "@/server/web/refusal";

/** The embedded sign-in is for one machine, because it sends passwords unencrypted. Throws Refusal. */
export function assertSignInStaysHere({ HOST, PUBLIC_URL, OIDC_ISSUER }: Config): void {
  if (OIDC_ISSUER) return;
  const remedy =
    "The embedded sign-in serves this machine only: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET";
  if (!isLoopback(HOST))
    throw new Refusal(`HOST ${HOST} can be reached from outside. ${remedy}, or leave HOST at 127.0.0.1.`);
  if (!isLoopback(new URL(PUBLIC_URL).hostname)) {
    throw new Refusal(
      `PUBLIC_URL ${PUBLIC_URL} is not an address of this machine. ${remedy}, or leave PUBLIC_URL unset.`,
    );
  }
}
