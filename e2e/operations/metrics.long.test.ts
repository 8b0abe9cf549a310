import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { findProgram } from "@/e2e/support/servers/program";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { catalog } from "@/lib/metrics/catalog";
import { jobs } from "@/server/jobs";

const promtool = findProgram(["promtool"]);
const RULES = "deploy/prometheus/sealwatch.rules.yaml";
const DASHBOARD = "deploy/grafana/sealwatch.json";

let server: Sealwatch;
let port: number;
beforeAll(async () => {
  port = await lastingPort();
  server = await startSealwatch({ METRICS_PORT: String(port) });
});
afterAll(() => server?.destroy());

/** On a connection of its own, because one that is kept may be closed meanwhile. */
const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
const scrape = async () => (await get("/metrics")).text();
/** The value of the first series whose name and labels contain these words; undefined if there is none. */
function figure(text: string, ...words: string[]): number | undefined {
  const line = text.split("\n").find((each) => !each.startsWith("#") && words.every((word) => each.includes(word)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1));
}
const isUp = (text: string, name: string) => figure(text, "sealwatch_process_up{", `process="${name}"`);
/** A scrape in which all processes answer and the worker knows the figures of the databases. */
const completeScrape = () =>
  until("every process reports", async () => {
    const text = await scrape();
    const isComplete = ["web-0", "worker"].every((name) => isUp(text, name) === 1);
    return (
      isComplete && text.includes("sealwatch_seal_waiting_events{") && text.includes("sealwatch_tasks_due{") && text
    );
  });

test("are not on the port of the web server", async () => {
  const answer = await fetch(`${server.url}/metrics`);
  expect(await answer.text()).not.toContain("sealwatch_build_info");
});

test("count each request by group, method and status", async () => {
  const { admin, read } = await newOrganization(server);
  const words = ["sealwatch_http_requests_total{", 'group="api_keys"', 'process="web-0"'];
  const before = await completeScrape();
  await admin.post("/api-keys", { name: "Counted" });
  for (let n = 0; n < 3; n++) await read.get("/api-keys");
  await read.post("/api-keys", { name: "Refused" });
  const after = await completeScrape();
  const added = (...more: string[]) =>
    (figure(after, ...words, ...more) ?? 0) - (figure(before, ...words, ...more) ?? 0);
  expect(added('method="POST"', 'status="2xx"')).toBe(1);
  expect(added('method="GET"', 'status="2xx"')).toBe(3);
  expect(added('method="POST"', 'status="4xx"')).toBe(1);
  const stored = (text: string) => figure(text, "sealwatch_audit_events_total{", "audit_database", "web-0") ?? 0;
  expect(stored(after) - stored(before)).toBeGreaterThanOrEqual(5);
});

test("have the jobs, and no name of an organization, a person, a host or a key", async () => {
  const { id, admin } = await newOrganization(server);
  const host = "metrics-stay-general.example";
  const made = await admin.post("/uptime", { name: host, type: "tcp", target: `${host}:443`, failure_threshold: 1 });
  expect(made.status).toBe(201);
  await query(server, "app", "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1", [id]);
  const done = "sealwatch_tasks_total{";
  const text = await until("the monitor was checked", async () => {
    const now = await scrape();
    return (figure(now, done, 'kind="uptime_check"', 'outcome="done"') ?? 0) > 0 && now;
  });
  for (const { name } of jobs) expect(text).toContain(`job_name="${name}"`);
  expect(text).not.toContain(id);
  expect(text).not.toContain(host);
  expect(text).not.toMatch(/@|[0-9a-f]{8}-[0-9a-f]{4}|127\.0\.0\.1|sw_/);
});

test("count due tasks of every kind, also those that only the audit database knows", async () => {
  await until("each kind is counted", async () => {
    const text = await scrape();
    const isCounted = (name: string, kind: string) => figure(text, `${name}{`, `kind="${kind}"`) !== undefined;
    return ["alert_evaluation_state", "checkpoint", "cosignature", "destination", "notification"].every(
      (kind) => isCounted("sealwatch_tasks_due", kind) && isCounted("sealwatch_tasks_oldest_due_age_seconds", kind),
    );
  });
});

test("have what the documentation, the dashboard and the alerting rules name", async () => {
  const text = await completeScrape();
  const present = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name));
  const used = [RULES, DASHBOARD].flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/\b(?:sealwatch|nodejs|process)_[a-z0-9]+(?:_[a-z0-9]+)+/g),
  ]);
  const names = new Set(used.map(([name]) => name.replace(/_(bucket|sum|count)$/, "")));
  expect(names.size).toBeGreaterThan(30);
  expect([...names].filter((name) => !present.has(name))).toEqual([]);
  expect(Object.keys(catalog).filter((name) => !present.has(name))).toEqual([]);
});

describe.skipIf(promtool === undefined)("to Prometheus' own tool", () => {
  const check = (args: string[], input = "") => {
    const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
    return { status, said: stdout + stderr };
  };

  test("the metrics keep its conventions", async () => {
    expect(check(["check", "metrics"], await completeScrape())).toEqual({ status: 0, said: "" });
  });

  test("the rules are valid, and each has a case", () => {
    expect(check(["check", "rules", "--lint=all", "--lint-fatal", RULES]).status).toBe(0);
    const cases = RULES.replace(".yaml", ".test.yaml");
    expect(check(["test", "rules", cases])).toMatchObject({ status: 0 });
    const alerts = [...readFileSync(RULES, "utf8").matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);
    const raised =
      readFileSync(cases, "utf8")
        .match(/alertname: \w+\n\s+exp_alerts:\n/g)
        ?.join("") ?? "";
    expect(alerts.filter((name) => !raised.includes(`alertname: ${name}\n`))).toEqual([]);
  });
});

test("of a process that hangs are missing, and no others", async () => {
  const { worker } = server.pids();
  if (worker === undefined) throw new Error("there is no worker");
  process.kill(worker, "SIGSTOP");
  onTestFinished(() => void process.kill(worker, "SIGCONT"));
  // On a busy machine the web process may be late too.
  const text = await until("the web process alone answers", async () => {
    const now = await scrape();
    return isUp(now, "web-0") === 1 && isUp(now, "worker") === 0 && now;
  });
  expect(text).toMatch(/^sealwatch_http_connections\{process="web-0"\}/m);
  expect(text).not.toMatch(/^sealwatch_job_interval_seconds\{/m);
  await until("the health check says which", async () => {
    const health = await get("/healthz");
    const processes = { "web-0": "ok", worker: "unavailable" };
    expect([health.status, await health.json()]).toMatchObject([503, { processes }]);
    return true;
  });
  process.kill(worker, "SIGCONT");
  await completeScrape();
  await until("all are well", async () => (await get("/healthz")).status === 200);
});

test("of a restarted process begin again, and those of the others continue", async () => {
  const words = ["sealwatch_job_runs_total{", 'job_name="audit-logs.seal"', 'outcome="done"'];
  const started = (text: string, name: string) => figure(text, "process_start_time_seconds{", `process="${name}"`);
  const before = await completeScrape();
  const pid = server.kill("web");
  await until("another web process runs", () => server.pids().web !== pid && server.pids().web !== undefined);
  const after = await completeScrape();
  expect(started(after, "web-0")).toBeGreaterThan(started(before, "web-0") ?? 0);
  expect(started(after, "worker")).toBe(started(before, "worker"));
  expect(figure(after, ...words)).toBeGreaterThanOrEqual(figure(before, ...words) ?? 0);
});
