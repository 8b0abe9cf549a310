import { wakeRules } from "@/lib/alert-schedule/wake";
import { isSecurityEvent } from "@/lib/audit-logs/flags";
import { onStored } from "@/lib/audit-logs/write/on-stored";

/** Wakes rules about events whenever this process stores a security event. Called once, when a process starts. */
export function wakeRulesOnEvents(): void {
  onStored((rows) => {
    const flagged = rows.filter(({ flags }) => isSecurityEvent(flags));
    wakeRules(
      "events",
      flagged.map(({ organization_id }) => organization_id),
    );
  });
}
