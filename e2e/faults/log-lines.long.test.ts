import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";

let monitoring: Cluster;
let audit: Cluster;
let server: Sealwatch;

beforeAll(async () => {
  [monitoring, audit] = await Promise.all([Cluster.create(), Cluster.create()]);
  server = await startSealwatch({ DATABASE_URL: monitoring.url("app"), AUDIT_DATABASE_URL: audit.url("audit") });
});
afterAll(async () => {
  await server?.destroy();
  await Promise.all([monitoring?.destroy(), audit?.destroy()]);
});

interface Line {
  level: number;
  time: string;
  pid: number;
  msg: string;
  [field: string]: unknown;
}

/** The lines of standard error since `position`, which must all be JSON. */
function linesSince(position: number): Line[] {
  const texts = server.output().stderr.slice(position).split("\n").filter(Boolean);
  return texts.map((text) => {
    try {
      return JSON.parse(text) as Line;
    } catch {
      throw new Error(`no JSON on standard error: ${text}`);
    }
  });
}

/** Sends requests to the API and to pages, most of them concurrently, and counts refused ones. */
async function stress(count: number, paths: readonly string[], headers: Record<string, string>): Promise<number> {
  let refused = 0;
  const left = Array.from({ length: count }, (_, n) => paths[n % paths.length] ?? "/");
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) {
        const { status } = await fetch(server.url + path, { headers, redirect: "manual" });
        if (status >= 500) refused++;
      }
    }),
  );
  return refused;
}

/** Lines of a process about an outage in which hundreds of requests fail. */
const FEW = 6;

test.each([
  ["monitoring", () => monitoring, 300],
  ["audit", () => audit, 0],
] as const)("an outage of the %s database is a few lines, however many requests fail", async (name, cluster, least) => {
  const { adminKey } = await newOrganization(server);
  const { cookie } = await newSession(server);
  await until("the server is ready", async () => (await fetch(`${server.url}/readyz`)).ok);
  const before = server.output().stderr.length;
  await cluster().stop();
  const api = { authorization: `Bearer ${adminKey.secret}` };
  const refused =
    (await stress(300, ["/api/v1/api-keys", "/api/v1/certificates", "/readyz"], api)) +
    (await stress(60, ["/", "/api-keys", "/audit-logs"], { cookie }));
  expect(refused).toBeGreaterThanOrEqual(least);
  // On a busy machine an outage may be seen to end and to begin again while the database stops.
  const states = { away: `the ${name} database is unavailable`, back: `the ${name} database is available again` };
  const saysLast = (state: keyof typeof states) => {
    const lines = linesSince(before);
    const last = (pid: number | undefined) =>
      lines.findLast((line) => line.pid === pid && Object.values(states).includes(line.msg))?.msg;
    const { web, worker } = server.pids();
    if (last(web) !== states[state] || last(worker) !== states[state]) throw new Error(JSON.stringify(lines));
    return true;
  };
  await until("both processes have logged it", () => saysLast("away"));
  await cluster().start();
  await until("both processes have logged that it is back", () => saysLast("back"));
  const lines = linesSince(before);
  const { web, worker } = server.pids();
  for (const pid of [web, worker]) {
    const own = lines.filter((line) => line.pid === pid && line.level >= 40);
    // Another line may report work that broke before the outage was detected.
    expect(own.length, JSON.stringify(own)).toBeLessThanOrEqual(FEW);
  }
  const ends = lines.filter(({ pid, msg }) => pid === web && msg === states.back);
  const failed = ends.reduce((sum, line) => sum + Number(line["a request failed"] ?? 0), 0);
  if (least > 0) expect(failed).toBeGreaterThan(100);
});

test("every line on standard error is JSON, from the start to the end", async () => {
  const { adminKey } = await newOrganization(server);
  const { cookie } = await newSession(server);
  const headers = { authorization: `Bearer ${adminKey.secret}`, cookie };
  await stress(
    60,
    ["/", "/certificates", "/nowhere", "/api/v1/nowhere", "/api/v1/api-keys", "/_next/nothing"],
    headers,
  );
  await server.stop();
  expect(linesSince(0).map(({ msg }) => msg)).toContain("stopping");
  await server.start();
});
