import { Plus } from "lucide-react";
import { DESTINATIONS } from "@/components/destinations/words";
import { GuardedLink } from "@/components/ui/guarded-button";

/** Opens the gallery of kinds. */
export function AddDestinationButton({ reason }: { reason: string | null }) {
  return (
    <GuardedLink kind="primary" reason={reason} href={`${DESTINATIONS}/new`}>
      <Plus size={14} aria-hidden="true" />
      Add destination
    </GuardedLink>
  );
}
