import type { Mutation } from "@/components/requests/use-mutation";

/** Forgets why the last call failed, before its dialog opens again. A call that is still running goes on. */
export function forgetError({ error, reset }: Pick<Mutation<never, never>, "error" | "reset">): void {
  if (error !== null) reset();
}
