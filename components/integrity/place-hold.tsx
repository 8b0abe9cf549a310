import { LinkButton } from "@/components/ui/button";
import { GuardedButton } from "@/components/ui/guarded-button";

/** Opens the form for a hold. `reason`: why the reader may not place one; null if they may. */
export function PlaceHold({ reason }: { reason: string | null }) {
  if (reason === null) return <LinkButton href="/integrity/holds/new">Place hold</LinkButton>;
  return <GuardedButton reason={reason}>Place hold</GuardedButton>;
}
