import { Plus } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { GuardedButton } from "@/components/ui/guarded-button";

/** Opens the editor for a new rule. */
export function NewRuleButton({ reason }: { reason: string | null }) {
  const words = (
    <>
      <Plus size={14} aria-hidden="true" />
      Create rule
    </>
  );
  if (reason === null) {
    return (
      <LinkButton kind="primary" href="/alert-rules/new">
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
