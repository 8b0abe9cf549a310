import { safePath } from "@/lib/auth/safe-path";

/** A cookie keeps the path while the person signs in, and browsers drop cookies beyond 4 KiB. */
const MAX_ENCODED_LENGTH = 3_000;

/** The path of the sign-in page, which afterwards leads to `target`: the path and query of a page or of its request by Next's client. */
export function signInPath(target: string): string {
  const url = new URL(safePath(target), "http://own.invalid");
  // Next's client adds it to the requests of its transitions. Others stay as they are written.
  if (url.searchParams.has("_rsc")) url.searchParams.delete("_rsc");
  const path = url.pathname + url.search;
  const isKept = path !== "/" && encodeURIComponent(path).length <= MAX_ENCODED_LENGTH;
  return isKept ? `/sign-in?${new URLSearchParams({ callbackUrl: path })}` : "/sign-in";
}
