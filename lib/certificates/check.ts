import type { Observation } from "@/lib/certificates/observation";
import { probe } from "@/lib/certificates/probe";
import { recordObservations } from "@/lib/certificates/record-observations";
import { config } from "@/lib/config";

/** An endpoint as far as a check needs it. `version` says which target this is. */
export interface Watched {
  organizationId: string;
  id: string;
  version: number;
  host: string;
  port: number;
  /** Empty for the host itself, as it is stored. */
  sni: string;
}

/** Seconds that one process may take to check an endpoint and write what it saw, before another one does it again. */
export const LEASE_SECONDS = 60;

/** Looks at an endpoint under this installation's rules. Rejects only when `signal` aborts. */
export function look({ host, port, sni }: Watched, signal?: AbortSignal): Promise<Observation> {
  const allowedNetworks = config().PROBE_ALLOWED_NETWORKS;
  return probe({ host, port, sni: sni === "" ? null : sni }, { allowedNetworks, ...(signal && { signal }) });
}

/** Looks at one endpoint now and writes what was seen. Never within a database transaction: it may take ten seconds. */
export async function check(watched: Watched): Promise<void> {
  const { organizationId, id: endpointId, version } = watched;
  await recordObservations([{ organizationId, endpointId, version, observation: await look(watched) }]);
}
