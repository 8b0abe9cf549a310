import { spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import type { Snapshot } from "@/lib/metrics/metrics";
import { askForMetrics } from "@/server/metrics/ask-for-metrics";
import { type Measured, MetricsServer } from "@/server/metrics/metrics-server";
import { freePort } from "@/server/port";

let server: MetricsServer | undefined;
afterEach(() => server?.close());

const counter = (value: number): Snapshot[] =>
  [
    { name: "test_runs_total", help: "Runs.", type: "counter", aggregator: "sum", values: [{ value, labels: {} }] },
  ] as never;

async function serve(...processes: Measured[]): Promise<(path: string) => Promise<Response>> {
  const port = await freePort();
  server = new MetricsServer(() => processes);
  await server.listen(port, "127.0.0.1");
  return (path) => fetch(`http://127.0.0.1:${port}${path}`);
}

test("each process's metrics stay apart, and one that does not answer is down", async () => {
  const get = await serve(
    { name: "web-0", readMetrics: async () => counter(3) },
    { name: "web-1", readMetrics: async () => counter(4) },
    { name: "worker", readMetrics: async () => null },
  );
  const answer = await get("/metrics");
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  expect(text.match(/^test_runs_total.*$/gm)).toEqual([
    'test_runs_total{process="web-0"} 3',
    'test_runs_total{process="web-1"} 4',
  ]);
  expect(text).toContain('sealwatch_process_up{process="web-1"} 1');
  expect(text).toContain('sealwatch_process_up{process="worker"} 0');
  const health = await get("/healthz");
  expect(health.status).toBe(503);
  expect(await health.json()).toEqual({
    status: "unavailable",
    processes: { "web-0": "ok", "web-1": "ok", worker: "unavailable" },
  });
});

test("a process's start time is reported although cluster metrics omit it", async () => {
  const [metric] = counter(7);
  const get = await serve({
    name: "web-0",
    readMetrics: async () => [{ ...metric, aggregator: "omit" } as never],
  });
  expect(await (await get("/metrics")).text()).toContain('test_runs_total{process="web-0"} 7');
});

test("values that are not numbers are left out", async () => {
  const get = await serve({ name: "web-0", readMetrics: async () => counter(null as never) });
  const text = await (await get("/metrics")).text();
  expect(text).toContain("# TYPE test_runs_total counter");
  expect(text).not.toMatch(/^test_runs_total\{/m);
  expect((await get("/healthz")).status).toBe(200);
});

test("nothing else is served", async () => {
  const get = await serve();
  expect((await get("/api/v1/audit-logs")).status).toBe(404);
});

/** A process with the IPC channel of a child of the supervisor. */
const start = (script: string) =>
  spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "ignore", "ipc"] });

test("a process that hangs is not waited for longer than allowed", async () => {
  const child = start('process.on("message", () => {}); process.send("up")');
  await new Promise((resolve) => child.once("message", resolve));
  expect(await askForMetrics(child, 50)).toBeNull();
  child.kill("SIGKILL");
});

test("a process that exits ends the wait", async () => {
  const child = start('process.on("message", () => process.exit(1)); process.send("up")');
  await new Promise((resolve) => child.once("message", resolve));
  expect(await askForMetrics(child, 100_000)).toBeNull();
  expect(await askForMetrics(child, 100_000)).toBeNull();
});

test("a late answer is not taken for that of the next question", async () => {
  const child = start(
    'let asked = []; process.on("message", (m) => { asked.push(m.id); if (asked.length === 2) for (const id of asked) process.send({ type: "metrics", id, metrics: [id] }) }); process.send("up")',
  );
  await new Promise((resolve) => child.once("message", resolve));
  expect(await askForMetrics(child, 50)).toBeNull();
  const second = (await askForMetrics(child, 100_000)) as unknown as number[];
  const third = askForMetrics(child, 50);
  expect(second).toHaveLength(1);
  expect(await third).toBeNull();
  child.kill("SIGKILL");
});
