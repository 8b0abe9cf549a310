import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { AgentWithSecret } from "@/lib/certificates/agents/agent-contract";
import { signedBytes } from "@/lib/certificates/agents/report-signature";
import { newId } from "@/lib/ids";
import { publicKeyOf, signEd25519 } from "@/lib/sealed-log/ed25519";

/** A new agent of the organization, which has not enrolled. */
export async function newAgent({ admin }: Organization): Promise<AgentWithSecret> {
  return (await admin.post<AgentWithSecret>("/certificates/agents", { name: newId() })).data;
}

/** A result without an observation of a name, as reports have it. */
export function aResult(endpoint_id: string = newId(), more: object = {}) {
  const timings = { dns_ms: 1, connect_ms: null, tls_ms: null };
  const failure = { outcome: "failed", address: null, timings, kind: "dns_failure", reason: "timeout", detail: null };
  return { endpoint_id, version: 1, observed_at: new Date().toISOString(), observations: [failure], ...more };
}

/** A key that signs reports, as an agent does: a new one, or the one in the state of an agent. */
export function newSigner(key = generateKeyPairSync("ed25519").privateKey) {
  const publicKey = publicKeyOf(key).toString("base64");
  const sign = (agentId: string, sequence: number, results: object[], more: object = {}) => {
    const report = { sequence, signed_at: new Date().toISOString(), version: "1", results, ...more };
    return { ...report, signature: signEd25519(signedBytes(agentId, report), key).toString("base64") };
  };
  return { publicKey, sign };
}

/** Enrolls a new key of the agent. */
export async function enroll({ admin }: Organization, agentId: string) {
  const signer = newSigner();
  await admin.post(`/certificates/agents/${agentId}/enrollment`, { public_key: signer.publicKey, version: "1" });
  return signer;
}

/** A folder for the state of an agent. */
export const newState = () => mkdtempSync(join(tmpdir(), "sealwatch-agent-"));

interface Options {
  args?: string[];
  env?: Record<string, string>;
}

/** Starts the agent's program. */
export function startAgent(
  url: string,
  { id, secret }: { id: string; secret: string },
  state: string,
  { args = [], env = {} }: Options = {},
) {
  const own = ["public/sealwatch-agent.mjs", "--url", url, "--agent", id, "--state", state, "--poll-seconds", "1"];
  const child = spawn(process.execPath, [...own, ...args], {
    env: { ...process.env, SEALWATCH_API_KEY: secret, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      output += part;
    });
  const ended = once(child, "close");
  return {
    output: () => output,
    /** The exit code, once it has ended by itself. */
    ended: async () => (await ended)[0] as number | null,
    stop: async (signal: NodeJS.Signals = "SIGTERM") => {
      child.kill(signal);
      return (await ended)[0] as number | null;
    },
  };
}

interface EndpointState {
  status: string;
  reported_at: Date | null;
  certificate_id: string | null;
}

/** An endpoint's state in the database, which may be asked more often than the API. */
export async function stateOf(
  { server, id }: Organization,
  endpoint: { id: string },
): Promise<EndpointState | undefined> {
  const [row] = await query<EndpointState>(
    server,
    "app",
    "SELECT status, reported_at, certificate_id FROM certificate_endpoints WHERE organization_id = $1 AND id = $2",
    [id, endpoint.id],
  );
  return row;
}

/** Makes an endpoint due, as of minutes ago. */
export async function makeDue({ server, id }: Organization, endpoint: { id: string }, minutes = 0): Promise<void> {
  await query(
    server,
    "app",
    `UPDATE certificate_endpoints SET next_check_at = now() - make_interval(mins => $3)
     WHERE organization_id = $1 AND id = $2`,
    [id, endpoint.id, minutes],
  );
}

/**
 * Lets web processes have run for a day, or, with `isNew`, begin only tomorrow. Call it again while waiting: a process that was too slow
 * to report begins anew.
 */
export async function setSteady(server: Sealwatch, isNew = false): Promise<void> {
  const since = isNew ? "now() + interval '1 day'" : "now() - interval '1 day'";
  await query(server, "app", `UPDATE processes SET steady_since = ${since} WHERE kind = 'web'`);
}
