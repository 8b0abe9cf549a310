import { makeSources, type Sources, supplement } from "@/lib/certificates/check/supplement";
import type { Observations } from "@/lib/certificates/probe/observation";
import { type ProbeOptions, probe } from "@/lib/certificates/probe/probe";
import { type Result, recordResults } from "@/lib/certificates/record/record-results";
import { readReported } from "@/lib/certificates/record/reported";
import { readWatched, trustOf, type Watched } from "@/lib/certificates/record/watched";
import { config } from "@/lib/config";
import { once } from "@/lib/once";

/** Seconds that one process may take to check an endpoint and write what it saw, before another one does it again. */
export const LEASE_SECONDS = 60;

/** Who bears with a check: how it may be stopped, and how it waits for its turn at an address. */
export type Bearing = Pick<ProbeOptions, "enter" | "signal">;

function sources(): Sources {
  const guard = () => ({ allowedNetworks: config().PROBE_ALLOWED_NETWORKS });
  return once("certificates.sources", () => makeSources(guard));
}

function observe(watched: Watched, bearing: Bearing): Promise<Observations> {
  const { host, port, protocol, sni, connectTo, addressMode, reported } = watched;
  if (reported) return readReported(watched);
  const target = { host, port, protocol, sni: sni || null, connectTo: connectTo || null, addressMode };
  return probe(target, { allowedNetworks: config().PROBE_ALLOWED_NETWORKS, ...bearing });
}

/** What was seen of an endpoint, with all that its judgement takes. Rejects without a database. */
export async function complete(watched: Watched, observations: Observations): Promise<Result> {
  const trust = await trustOf(watched);
  return { watched, observations, trust, ...(await supplement(observations, trust, sources())), isAsked: false };
}

/** Looks at an endpoint under this installation's rules. Rejects only when `signal` aborts, as `enter` does, or without a database. */
export async function look(watched: Watched, bearing: Bearing = {}): Promise<Result> {
  return complete(watched, await observe(watched, bearing));
}

/** Looks at one endpoint now and writes what was seen. Never within a database transaction: it may take ten seconds. */
export async function check(organizationId: string, id: string): Promise<void> {
  const watched = await readWatched(organizationId, id);
  if (watched !== null) await recordResults([{ ...(await look(watched)), isAsked: true }]);
}
