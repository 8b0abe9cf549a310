import { config } from "@/lib/config";
import { ask, type Outcome, type Question } from "@/lib/uptime/checks/probe";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";

/** A monitor as far as a check needs it. `version` says which question this is. */
export interface Watched extends Question {
  organizationId: string;
  id: string;
  version: number;
  leasedUntil: Date | null;
}

/** Seconds that one process may take for a check and for writing it, before another one does it again. */
export const LEASE_SECONDS = 90;

/** Asks under this installation's rules. Rejects only when `signal` aborts. */
export function askUnderRules(watched: Watched, signal?: AbortSignal): Promise<Outcome> {
  return ask(watched, { allowedNetworks: config().PROBE_ALLOWED_NETWORKS, ...(signal && { signal }) });
}

/** Checks one monitor now, writes what came of it, and says so. Never within a database transaction: it takes seconds. */
export async function check(watched: Watched): Promise<string | null> {
  const { organizationId, id: monitorId, version, leasedUntil } = watched;
  const outcome = await askUnderRules(watched);
  const [checkId = null] = await recordOutcomes([{ organizationId, monitorId, version, leasedUntil, outcome }]);
  return checkId;
}
