import { Agent, request as open } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { keyId, LARGEST } from "@/bench/audit/events";
import { makeKeys } from "@/bench/keys";
import { ms, percentile, row } from "@/bench/measure";
import { serveMeasured } from "@/bench/serve";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession } from "@/e2e/support/session";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { requireSetting } from "@/lib/config";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";

const ROUNDS = 20;
const POLL_MS = 1_000;
const KEYS_WITH_EVENTS = 40;
const BUSIEST = keyId(0, 0);

const pages = [
  "/",
  "/audit-logs",
  "/audit-logs?status=4xx",
  "/audit-logs?q=terraform",
  "/security-events",
  "/security-events?range=30d",
  "/statistics",
  "/statistics?range=30d",
  "/api-keys",
  `/api-keys/${BUSIEST}`,
];

interface Asked {
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * Measures response times of a production build on the full log: the dashboard's pages until their first and last byte (slow
 * parts are streamed), and the endpoints about one key.
 */
export async function measurePages(label: string): Promise<void> {
  const server = await serveMeasured(liftedLimits);
  try {
    const cookie = await signInToLargest(server);
    await describeKeys();
    const [secret = ""] = await makeKeys(requireSetting("DATABASE_URL"), LARGEST, 1);
    const authorization = `Bearer ${secret}`;
    await allSealed();
    for (const path of pages) await measure(label, server, { path, headers: { cookie } });
    const usage = `/api/v1/api-keys/${BUSIEST}/usage`;
    await measure(label, server, { path: usage, headers: { authorization } });
    await measure(label, server, { path: `${usage}?days=90`, headers: { authorization } });
    await measure(label, server, {
      path: `/api/v1/api-keys/${BUSIEST}/whitelist-preview`,
      headers: { authorization, "content-type": "application/json" },
      body: { ip_whitelist: ["203.0.0.0/26"] },
    });
  } finally {
    await server.destroy();
  }
}

async function signInToLargest(server: Sealwatch): Promise<string> {
  const { userId, cookie } = await newSession(server);
  await pool().query(
    "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'admin', now())",
    [LARGEST, userId],
  );
  return `${cookie}; ${ORGANIZATION_COOKIE}=${LARGEST}`;
}

/** Waits until the worker has sealed the log, which takes most of the processors. */
async function allSealed(): Promise<void> {
  process.stderr.write("Sealing…\n");
  for (;;) {
    const { rows } = await auditPool().query(
      `SELECT FROM audit_seal_queue UNION ALL SELECT FROM audit_seal_logs WHERE import_after IS NOT NULL LIMIT 1`,
    );
    if (rows.length === 0) return;
    await delay(POLL_MS);
  }
}

/** Creates the keys that the events name. */
async function describeKeys(): Promise<void> {
  await pool().query(
    `INSERT INTO api_keys (organization_id, id, name, permission, ip_whitelist, hint, created_at, created_by_type, created_by_name)
     SELECT $1, id, 'key-' || number - 1, 'admin', '{}', 'sw_…', now() - interval '100 days', 'system', 'Bench'
     FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, number) ON CONFLICT DO NOTHING`,
    [LARGEST, Array.from({ length: KEYS_WITH_EVENTS }, (_, number) => keyId(0, number))],
  );
}

async function measure(label: string, server: Sealwatch, asked: Asked): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const { first, last } = await ask(agent, server, asked);
    if (round < 0) continue;
    firsts.push(first);
    lasts.push(last);
  }
  agent.destroy();
  const path = asked.path.replace(BUSIEST, "{id}");
  const [first, last] = [firsts, lasts].map((all) => `${ms(percentile(all, 0.5))}, p95 ${ms(percentile(all, 0.95))}`);
  row(label, path, `first byte ${first}`, `last byte ${last}`);
}

/** Milliseconds until the first byte of the body and until the last. Rejects if the status is not 200. */
function ask(
  agent: Agent,
  { port }: Sealwatch,
  { path, headers, body }: Asked,
): Promise<{ first: number; last: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const method = body === undefined ? "GET" : "POST";
    const request = open({ agent, host: "127.0.0.1", port, path, method, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} was answered with ${response.statusCode}`));
      let first = 0;
      response.on("data", () => {
        if (first === 0) first = performance.now() - started;
      });
      response.once("end", () => resolve({ first, last: performance.now() - started }));
    });
    request.once("error", reject);
    if (body !== undefined) request.write(JSON.stringify(body));
    request.end();
  });
}
