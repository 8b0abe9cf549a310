import { BellPlus } from "lucide-react";
import { shownFilters } from "@/components/audit-logs/views/view";
import { LinkButton } from "@/components/ui/button";

/** Opens the editor of a new alert rule about the entries that match the filters of the list. */
export function AlertOnView({ params }: { params: Record<string, string> }) {
  return (
    <LinkButton
      icon
      prefetch={false}
      href={alertRuleHref(params)}
      aria-label="Alert me on this"
      title="Alert me on entries that match these filters"
    >
      <BellPlus size={13} aria-hidden="true" />
    </LinkButton>
  );
}

/** The editor of a new alert rule with the filters of a list; it leaves out the reads that the list hides. */
export function alertRuleHref(params: Record<string, string>): string {
  return `/alert-rules/new?${new URLSearchParams({ about: shownFilters(params) })}`;
}
