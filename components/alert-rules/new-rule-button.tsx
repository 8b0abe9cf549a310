import { Plus } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { GuardedButton } from "@/components/ui/guarded-button";

/** The way to the editor of a new rule. */
export function NewRuleButton({ reason }: { reason: string | null }) {
  const words = (
    <>
      <Plus size={14} aria-hidden="true" />
      New rule
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
