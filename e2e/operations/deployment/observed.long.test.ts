import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PacedLoad } from "@/e2e/operations/deployment/paced-load";
import { hasPrometheus, Prometheus } from "@/e2e/operations/deployment/prometheus-server";
import { readUnit, Service } from "@/e2e/operations/deployment/units";
import { newOrganization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { hasNginx, Nginx } from "@/e2e/support/servers/nginx";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";

/** By how much the durations of the rules are shortened, and the scrape interval with them. 1: as operators have them. */
const SHORTENED = Number(process.env.OBSERVED_SHORTENED ?? 30);
const SCRAPE_SECONDS = Math.max(1, Math.round(15 / SHORTENED));
/** Rules wait for up to ten minutes and judge five: with what a busy machine may add. */
const ALERT_MS = Math.max(120_000, (30 * 60_000) / SHORTENED);

/** The rules, with each duration in minutes shortened. */
const rules = () =>
  readFileSync("deploy/prometheus/sealwatch.rules.yaml", "utf8").replace(
    /(for: |\[)(\d+)m/g,
    (_, before: string, minutes: string) => `${before}${Math.ceil((Number(minutes) * 60) / SHORTENED)}s`,
  );

/** The queries of the dashboard, with Grafana's variables. Those that show only what is wrong are asked for everything. */
function dashboardQueries(): { title: string; query: string }[] {
  interface Panel {
    title: string;
    targets?: { expr: string }[];
  }
  const { panels } = JSON.parse(readFileSync("deploy/grafana/sealwatch.json", "utf8")) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      query: expr
        .replaceAll("$job", ".*")
        .replaceAll("$instance", ".*")
        .replaceAll("$__rate_interval", `${4 * SCRAPE_SECONDS}s`)
        .replace(/ > 0$/, ""),
    })),
  );
}

describe.skipIf(!hasPrometheus || !hasRedis || !hasNginx)("nginx, two web processes, a worker and Prometheus", () => {
  const state = mkdtempSync(join(tmpdir(), "sealwatch-observed-"));
  const services: Service[] = [];
  let cluster: Cluster;
  let redis: RedisServer;
  let nginx: Nginx;
  let prometheus: Prometheus;
  let receiver: Receiver;
  let load: PacedLoad;
  let impatient: PacedLoad;
  let server: Sealwatch;
  const began = Date.now() / 1000;

  beforeAll(async () => {
    [cluster, redis, receiver] = await Promise.all([Cluster.create({ migrated: false }), startRedis(), newReceiver()]);
    const [proxy = 0, ...ports] = await Promise.all(Array.from({ length: 6 }, lastingPort));
    const environment = {
      DATABASE_URL: cluster.url("app"),
      AUDIT_DATABASE_URL: cluster.auditWebUrl,
      REDIS_URL: redis.url,
      PUBLIC_URL: `http://127.0.0.1:${proxy}`,
      TRUSTED_PROXIES: "127.0.0.1",
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      SESSION_SECRET: "a secret of thirty-two characters",
      OIDC_ISSUER: "https://id.example",
      OIDC_CLIENT_ID: "sealwatch",
      OIDC_CLIENT_SECRET: "secret",
      PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
      LOG_LEVEL: "warn",
    };
    const files = {
      "/etc/sealwatch/environment": environment,
      "/etc/sealwatch/worker-environment": {
        AUDIT_MAINTENANCE_DATABASE_URL: cluster.url("audit"),
        AUDIT_SEAL_KEY: Buffer.alloc(32, 8).toString("base64"),
      },
    };
    const start = (name: string, own: Record<string, string> = {}) => {
      const unit = readUnit(name, files, state);
      const service = new Service({ ...unit, env: { DATA_DIR: join(state, "none"), ...unit.env, ...own } });
      services.push(service);
      return service;
    };
    expect(await start("sealwatch-migrate").ended).toBe(0);
    const [first, second, ...metrics] = ports;
    // A machine has one of them; here they are distinguished by their ports.
    const webs = [first, second].map((port, at) =>
      start("sealwatch-web", { PORT: String(port), METRICS_PORT: String(metrics[at]) }),
    );
    const worker = start("sealwatch-worker", { METRICS_PORT: String(metrics[2]) });
    for (const { said } of webs) await until("a web process is ready", () => said.stdout.includes("is ready at"));
    await until("the worker runs", () => worker.said.stdout.includes("The worker runs"));
    nginx = await Nginx.start(proxy, [first ?? 0, second ?? 0]);
    prometheus = await Prometheus.start({
      targets: metrics.map((port) => `127.0.0.1:${port}`),
      rules: rules(),
      scrapeSeconds: SCRAPE_SECONDS,
    });
    const env = { ...environment, ...files["/etc/sealwatch/worker-environment"] };
    server = new Sealwatch({ url: nginx.url, port: proxy, folder: state, env, pid: process.pid });
    const organizations = [await newOrganization(server), await newOrganization(server)];
    const [one] = organizations;
    const channel = await one?.admin.post<{ id: string }>("/notification-channels", {
      ...{ name: "Webhook", type: "webhook", settings: { url: receiver.url } },
    });
    const rule = {
      ...{ name: "Down", condition: { type: "monitor_down" } },
      steps: [{ severity: "critical", channel_ids: [channel?.data.id] }],
    };
    expect((await one?.admin.post("/alert-rules", rule))?.status).toBe(201);
    const down = { name: "Down", type: "tcp", target: `127.0.0.1:${await lastingPort()}`, failure_threshold: 1 };
    expect((await one?.admin.post("/uptime", { ...down, interval_seconds: 60 }))?.status).toBe(201);
    expect((await one?.admin.post("/certificates/endpoints", { host: "127.0.0.1", port: proxy }))?.status).toBe(201);
    const callers = await Promise.all(organizations.flatMap(({ newKey }) => [newKey(), newKey(), newKey(), newKey()]));
    load = new PacedLoad(callers.map(({ api }) => api));
    // Beyond the limit of its key.
    if (one) impatient = new PacedLoad([one.read], { every: 200, paths: ["/alerts"] });
  });
  afterAll(async () => {
    await Promise.all([load?.stop(), impatient?.stop()]);
    await prometheus?.stop();
    await Promise.all(services.map((service) => service.stop()));
    await nginx?.stop();
    receiver?.close();
    await redis?.destroy();
    await cluster?.destroy();
    rmSync(state, { recursive: true, force: true });
  });

  /** Waits until these alerts fire, or none of them does. */
  const untilFiring = (names: readonly string[], areFiring: boolean) =>
    until(
      `${names} ${areFiring ? "fire" : "are resolved"}`,
      async () => {
        const firing = await prometheus.firing();
        return names.every((name) => firing.includes(name) === areFiring);
      },
      ALERT_MS,
    );

  test("every rule is evaluated, and none fires", async () => {
    await until("each rule was evaluated", async () =>
      (await prometheus.rules()).every(({ health }) => health === "ok"),
    );
    await until("the alert was notified", () => receiver.received.length > 0);
    await untilFiring(await prometheus.firing(), false);
  });

  test("an outage of Redis raises alerts, which are resolved when it is back", async () => {
    const raised = ["SealwatchDependencyDown", "SealwatchRateLimitsCountedLocally"];
    await redis.kill();
    await untilFiring(raised, true);
    await redis.start();
    await untilFiring(raised, false);
  });

  test("an outage of PostgreSQL raises alerts, which are resolved when it is back", async () => {
    const raised = ["SealwatchAuditEventsRefused", "SealwatchDependencyDown", "SealwatchErrors"];
    await cluster.stop();
    await untilFiring(raised, true);
    await cluster.start();
    await untilFiring(raised, false);
  });

  test("every query of the dashboard is answered with data", async () => {
    const now = Date.now() / 1000;
    const step = Math.ceil((now - began) / 500);
    const answered = await Promise.all(
      dashboardQueries().map(async ({ title, query }) => {
        const series = await prometheus.range(query, began, now, Math.max(step, SCRAPE_SECONDS));
        const values = series.flatMap((each) => each.values).filter(([, value]) => Number.isFinite(Number(value)));
        return { title, query, series: series.length, values: values.length };
      }),
    );
    console.info(
      `${answered.length} queries over ${Math.round(now - began)} s; answers to the load:`,
      Object.fromEntries(load.statuses),
    );
    expect(answered.filter(({ values }) => values === 0)).toEqual([]);
    expect(answered.length).toBeGreaterThan(40);
  });
});
