import { config } from "@/lib/config";
import type { CheckSettings, Outcome } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import { secureContextOf } from "@/lib/uptime/checks/secure-context";

/** A monitor with the fields that a check needs. `version` identifies its current settings. */
export interface MonitorToCheck extends CheckSettings {
  organizationId: string;
  id: string;
  version: number;
  leasedUntil: Date | null;
  trustStoreId: string | null;
}

/** Seconds that a process has for a check and for recording it, before another process repeats it. */
export const LEASE_SECONDS = 90;

/** Checks under this installation's network rules. Rejects if `signal` aborts or if its trust store cannot be read. */
export async function probeMonitor(monitor: MonitorToCheck, signal?: AbortSignal): Promise<Outcome> {
  const { organizationId, trustStoreId } = monitor;
  const secureContext = trustStoreId === null ? null : await secureContextOf(organizationId, trustStoreId);
  return probe(monitor, {
    allowedNetworks: config().PROBE_ALLOWED_NETWORKS,
    ...(signal && { signal }),
    ...(secureContext && { secureContext }),
  });
}

/** Checks a monitor now and records the result. Returns the check's id. Takes seconds: never call it within a transaction. */
export async function check(monitor: MonitorToCheck): Promise<string | null> {
  const { organizationId, id: monitorId, version, leasedUntil } = monitor;
  const outcome = await probeMonitor(monitor);
  const [checkId = null] = await recordOutcomes([{ organizationId, monitorId, version, leasedUntil, outcome }]);
  return checkId;
}
