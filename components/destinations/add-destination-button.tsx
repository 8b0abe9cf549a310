import { Plus } from "lucide-react";
import { DESTINATIONS } from "@/components/destinations/words";
import { LinkButton } from "@/components/ui/button";
import { GuardedButton } from "@/components/ui/guarded-button";

/** Opens the gallery of kinds. */
export function AddDestinationButton({ reason }: { reason: string | null }) {
  const words = (
    <>
      <Plus size={14} aria-hidden="true" />
      Add destination
    </>
  );
  if (reason === null) {
    return (
      <LinkButton kind="primary" href={`${DESTINATIONS}/new`}>
        {words}
      </LinkButton>
    );
  }
  return (
    <GuardedButton kind="primary" reason={reason}>
      {words}
    </GuardedButton>
  );
}
