import { Plus } from "lucide-react";
import { GuardedLink } from "@/components/ui/guarded-button";

/** Opens the editor for a new rule. */
export function NewRuleButton({ reason }: { reason: string | null }) {
  return (
    <GuardedLink kind="primary" reason={reason} href="/alert-rules/new">
      <Plus size={14} aria-hidden="true" />
      Create rule
    </GuardedLink>
  );
}
