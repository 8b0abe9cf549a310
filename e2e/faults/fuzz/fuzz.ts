import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleOf } from "@/e2e/conformance/examples";
import { anyRequest, type Template } from "@/e2e/faults/fuzz/fuzz-requests";
import { type Answer, type Sent, send } from "@/e2e/support/http";
import { webMemory } from "@/e2e/support/memory";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query, whenDelivered } from "@/e2e/support/servers/databases";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { startWithNeighbours } from "@/e2e/support/servers/start-with-neighbours";
import { newSession } from "@/e2e/support/session";
import { endpoints } from "@/lib/api/endpoints";
import type { Endpoint } from "@/lib/http/endpoint";
import { errorStatus } from "@/lib/http/errors";

/** The same requests in every run, unless the environment sets another seed. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const CONCURRENCY = 32;
/** The web process's memory is measured after each round. */
const CHUNKS = 10;
/** Otherwise the process lets garbage lie for long, which looks like a leak. */
const SMALL_HEAP = "--max-old-space-size=192";
/** From the second quarter of the requests, when everything is loaded, to the last. */
const MAX_GROWTH_MIB = 64;
/** Internal details that no response may contain. */
const INSIDE = /prisma|node_modules|\bSELECT\b|\bINSERT\b|SQLSTATE|constraint|\/server\/|\.ts:\d|at \w+ \(|\[object/i;

async function templateOf(endpoint: Endpoint, organization: Organization): Promise<Template> {
  const example = await exampleOf(endpoint, organization);
  if (!endpoint.list) return { endpoint, example, cursor: null };
  const path = endpoint.path.replace("{id}", example.params?.id ?? "");
  await Promise.all([organization.admin.get(path), organization.read.get(path)]);
  const answer = await organization.admin.get(`${path}?limit=1`);
  return { endpoint, example, cursor: answer.status < 300 ? answer.pagination.next_cursor : null };
}

/** The faults of a response that do not depend on the request. */
function wrongWith({ method }: Sent, answer: Answer): string | null {
  const { status, headers, text } = answer;
  // A resource with limited slots may be full, and says so.
  const isFull = status === 503 && /^(Several exports|Too many streams)/.test(answer.error.message);
  if ((status >= 500 && !isFull) || status < 200) return `status ${status}`;
  if (!/^[0-9a-f-]{36}$/.test(String(headers["x-request-id"]))) return "no request id";
  if (headers["cache-control"] !== "no-store") return `cache-control ${headers["cache-control"]}`;
  for (const name of ["limit", "remaining", "reset"]) {
    if (!/^\d+$/.test(String(headers[`x-ratelimit-${name}`]))) return `x-ratelimit-${name}`;
  }
  if (status < 400 || method === "HEAD") return null;
  try {
    const { code, message, request_id } = answer.error;
    if (errorStatus[code] !== status) return `code ${code} with ${status}`;
    if (request_id !== answer.requestId) return "another request id in the body";
    return INSIDE.test(message) ? `message: ${message.slice(0, 200)}` : null;
  } catch {
    return `body: ${text.slice(0, 200)}`;
  }
}

const shown = ({ method, target, headers, body }: Sent) =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify({ ...headers, authorization: undefined, cookie: undefined }).slice(0, 300)} ${body?.toString().slice(0, 400) ?? ""}`;

/** Unexpected errors in the server's log. */
function failuresOf(failed: Sealwatch): string {
  return failed
    .output()
    .stderr.split("\n")
    .filter((line) => line.includes('"a request failed"'))
    .slice(-3)
    .map((line) => line.slice(0, 600))
    .join("\n");
}

async function requestsOnRecord(server: Sealwatch): Promise<number> {
  const text = "SELECT count(*)::integer AS count FROM audit_events WHERE method IS NOT NULL";
  return (await query<{ count: number }>(server, "audit", text))[0]?.count ?? 0;
}

async function storedStatuses(server: Sealwatch, ids: string[]): Promise<Map<string, number>> {
  const stored = new Map<string, number>();
  for (let at = 0; at < ids.length; at += 10_000) {
    const rows = await query<{ id: string; status_code: number }>(
      server,
      "audit",
      "SELECT id, status_code FROM audit_events WHERE id = ANY($1::uuid[])",
      [ids.slice(at, at + 10_000)],
    );
    for (const { id, status_code } of rows) stored.set(id, status_code);
  }
  return stored;
}

/** Declares the test: a server gets random requests that HTTP allows. */
export function fuzz(requests: number): void {
  let server: Sealwatch;
  let destroy = async () => {};
  let organization: Organization;
  beforeAll(async () => {
    // Limits so high that the requests reach the handlers.
    ({ server, destroy } = await startWithNeighbours({ NODE_OPTIONS: `${liftedLimits.NODE_OPTIONS} ${SMALL_HEAP}` }));
    organization = await newOrganization(server);
    await query(server, "app", "UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [organization.id]);
  });
  afterAll(() => destroy());

  test(
    `${requests} requests of seed ${SEED}: every one is answered below 500 and recorded once, in constant memory`,
    async () => {
      console.log(`fuzz: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${requests}`);
      const session = await newSession(server);
      const other = await newOrganization(server);
      const templates: Template[] = [];
      const waiting = [...endpoints];
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
            templates.push(await templateOf(next, organization));
        }),
      );
      // In a fixed order, so that the same seed means the same requests.
      templates.sort((a, b) => endpoints.indexOf(a.endpoint) - endpoints.indexOf(b.endpoint));
      const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
      const admin = bearer(organization.adminKey.secret);
      const anyOf = anyRequest(templates, [
        ...[admin, admin, admin, admin, admin, admin],
        bearer(organization.readKey.secret),
        bearer(other.adminKey.secret),
        { cookie: session.cookie, origin: server.url },
        { authorization: "Basic c3c6c3c=" },
        {},
      ]);
      const statuses = new Map<string, number>();
      const wrong = new Map<string, string>();
      const memory: number[] = [];
      const before = await requestsOnRecord(server);
      const chunkSize = Math.ceil(requests / CHUNKS);
      let slowest = 0;
      for (let sent = 0; sent < requests; sent += chunkSize) {
        const chunk = fc.sample(anyOf, { seed: SEED + sent, numRuns: Math.min(chunkSize, requests - sent) });
        await Promise.all(
          Array.from({ length: CONCURRENCY }, async () => {
            for (let next = chunk.pop(); next !== undefined; next = chunk.pop()) {
              const startedAt = performance.now();
              try {
                const answer = await send(server.url, next);
                const why = wrongWith(next, answer);
                if (why !== null) wrong.set(why, shown(next));
                if (statuses.has(answer.requestId)) wrong.set("a request id twice", shown(next));
                statuses.set(answer.requestId, answer.status);
              } catch (error) {
                wrong.set(String(error), shown(next));
              }
              slowest = Math.max(slowest, performance.now() - startedAt);
            }
          }),
        );
        memory.push(Math.round(webMemory(server)));
      }
      expect(Object.fromEntries(wrong), failuresOf(server)).toEqual({});
      await whenDelivered(server);
      const stored = await storedStatuses(server, [...statuses.keys()]);
      expect(stored.size).toBe(statuses.size);
      expect([...statuses].filter(([id, status]) => stored.get(id) !== status)).toEqual([]);
      expect((await requestsOnRecord(server)) - before).toBe(requests);

      const succeeded = [...statuses.values()].filter((status) => status < 300).length;
      console.log(
        `fuzz: ${succeeded} succeeded, slowest ${Math.round(slowest)} ms, memory of the web process ${memory} MiB`,
      );
      // Otherwise hardly any request would pass the input checks.
      expect(succeeded).toBeGreaterThan(requests / 10);
      const quarter = (number: number) =>
        memory.slice(Math.floor((memory.length * number) / 4), Math.ceil((memory.length * (number + 1)) / 4));
      expect(Math.min(...quarter(3)) - Math.max(...quarter(1))).toBeLessThan(MAX_GROWTH_MIB);
    },
    180_000 + requests * 30,
  );
}
