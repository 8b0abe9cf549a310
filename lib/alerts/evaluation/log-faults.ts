import type { LogFault } from "@/lib/alerts/evaluation/situation";
import type { Condition } from "@/lib/alerts/rules/conditions";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { systemPrincipal } from "@/lib/http/principal";

/** How long events may wait to be sealed, in seconds. */
const MAX_LAG_SECONDS = 60;

/** What is wrong with the organization's sealed log, if one of the conditions is about that. */
export async function readLogFaults(organizationId: string, conditions: readonly Condition[]): Promise<LogFault[]> {
  if (!conditions.some(({ type }) => type === "log_integrity")) return [];
  const { self_check, lag_seconds, is_importing, refused } = await getSealedLog(systemPrincipal(organizationId));
  const faults: LogFault[] = [];
  if (self_check?.message) faults.push({ cause: "self_check_failed", detail: withoutPeriod(self_check.message) });
  // While older events are sealed first, new ones wait.
  if (lag_seconds !== null && lag_seconds > MAX_LAG_SECONDS && !is_importing) {
    const minutes = Math.floor(lag_seconds / 60);
    faults.push({
      cause: "sealing_behind",
      detail: `an event has waited to be sealed for ${minutes === 1 ? "a minute" : `${minutes} minutes`}`,
    });
  }
  if (refused !== null) faults.push({ cause: "signing_refused", detail: `not signed: ${withoutPeriod(refused)}` });
  return faults;
}

const withoutPeriod = (sentence: string) => sentence.replace(/\.$/, "");
