import { config } from "@/lib/config";
import { processorTime } from "@/lib/jobs/processor-time";
import type { Guard } from "@/lib/network/guarded-lookup";
import { span } from "@/lib/tracing/span";
import { CheckFailure, type CheckSettings, type Outcome, type Spend, unsent } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import { secureContextsOf } from "@/lib/uptime/checks/secure-context";
import { type MonitorSecrets, openSecrets, type SecretColumns } from "@/lib/uptime/secrets";

/** A monitor with the fields that a check needs. `version` identifies its current settings. */
export interface MonitorToCheck extends Omit<CheckSettings, keyof MonitorSecrets>, SecretColumns {
  version: number;
  leasedUntil: Date | null;
  trustStoreId: string | null;
  ipVersion: string;
}

/** Seconds that a process has for a check and for recording it, before another process repeats it. */
export const LEASE_SECONDS = 90;

/** Checks under this installation's network rules. Rejects if `signal` aborts or if its trust store cannot be read. */
export async function probeMonitor(monitor: MonitorToCheck, signal?: AbortSignal): Promise<Outcome> {
  const { organizationId, trustStoreId } = monitor;
  let secrets: MonitorSecrets;
  try {
    secrets = openSecrets(monitor);
  } catch {
    return unsent("secrets_unreadable", "ENCRYPTION_KEY has changed since they were saved");
  }
  try {
    const spend: Spend = (work) => processorTime().spend(organizationId, work);
    const contexts = await secureContextsOf(organizationId, trustStoreId, secrets.authentication, spend);
    const guard = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS, ...familyOf(monitor.ipVersion) };
    const options = { ...guard, ...(signal && { signal }), ...contexts, spend };
    const of = { "sealwatch.monitor_id": monitor.id, "sealwatch.monitor_type": monitor.type };
    return await span("probe monitor", of, () => probe({ ...monitor, ...secrets }, options), "client");
  } catch (error) {
    if (error instanceof CheckFailure) return unsent(error.reason, error.detail);
    throw error;
  }
}

function familyOf(version: string): Pick<Guard, "family"> {
  if (version === "any") return {};
  return { family: version === "6" ? 6 : 4 };
}

/** Checks a monitor now and records the result. Returns the check's id. Takes seconds: never call it within a transaction. */
export async function check(monitor: MonitorToCheck): Promise<string | null> {
  const { organizationId, id: monitorId, version, leasedUntil } = monitor;
  const outcome = await probeMonitor(monitor);
  const [checkId = null] = await recordOutcomes([{ organizationId, monitorId, version, leasedUntil, outcome }]);
  return checkId;
}
