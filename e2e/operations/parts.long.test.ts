import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Cluster } from "@/e2e/support/servers/cluster";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { runStart } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";

const folder = mkdtempSync(join(tmpdir(), "sealwatch-parts-"));
const KEY = Buffer.alloc(32, 7).toString("base64");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts one part, and returns its output so far. */
function startPart(argument: string, env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["server/start.mjs", argument], {
    env: { NODE_ENV: "production", PATH, HOME, ...env },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => (said.stdout += text));
  child.stderr.on("data", (text) => (said.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { said, stop: () => child.kill("SIGTERM") && ended };
}

test.each([
  ["--web-only", "DATABASE_URL, AUDIT_DATABASE_URL, OIDC_ISSUER, SESSION_SECRET and ENCRYPTION_KEY"],
  ["--worker-only", "DATABASE_URL, AUDIT_DATABASE_URL, ENCRYPTION_KEY and AUDIT_SEAL_KEY"],
  ["--migrate-only", "DATABASE_URL and AUDIT_DATABASE_URL"],
])("%s refuses to start without what all parts share", async (argument, settings) => {
  const { code, stderr } = await runStart([argument], { DATA_DIR: join(folder, "none") });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${argument} requires ${settings}:`)]);
});

test("web process and worker wait for the migrations, and then work together", async () => {
  const cluster = await Cluster.create({ migrated: false });
  const shared = {
    DATABASE_URL: cluster.url("app"),
    AUDIT_DATABASE_URL: cluster.auditWebUrl,
    ENCRYPTION_KEY: KEY,
    SESSION_SECRET: "a secret of thirty-two characters",
    OIDC_ISSUER: "https://id.example",
    OIDC_CLIENT_ID: "sealwatch",
    OIDC_CLIENT_SECRET: "secret",
  };
  const owner = {
    AUDIT_MAINTENANCE_DATABASE_URL: cluster.url("audit"),
    AUDIT_SEAL_KEY: Buffer.alloc(32, 8).toString("base64"),
  };
  const [port, metrics] = [await lastingPort(), await lastingPort()];
  const web = startPart("--web-only", { ...shared, PORT: String(port), DATA_DIR: join(folder, "web") });
  const worker = startPart("--worker-only", {
    ...shared,
    ...owner,
    METRICS_PORT: String(metrics),
    DATA_DIR: join(folder, "worker"),
  });
  try {
    for (const { said } of [web, worker])
      await until("it waits", () => said.stderr.includes("waiting for `npm start -- --migrate-only`"));
    expect([web.said.stdout, worker.said.stdout]).toEqual(["", ""]);
    const { code, stdout } = await runStart(["--migrate-only"], {
      ...shared,
      ...owner,
      DATA_DIR: join(folder, "none"),
    });
    expect([code, stdout]).toEqual([0, "Both databases have the migrations of this release.\n"]);
    await until("the web process is ready", () => web.said.stdout.includes("Sealwatch is ready at"));
    await until("the worker runs", () => worker.said.stdout === "The worker runs\n");
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const health = await until("the worker answers", async () => {
      const answer = await fetch(`http://127.0.0.1:${metrics}/healthz`, { headers: { connection: "close" } });
      return answer.ok && answer.json();
    });
    expect(health).toEqual({ status: "ok", processes: { worker: "ok" } });
  } finally {
    await Promise.all([web.stop(), worker.stop()]);
    await cluster.destroy();
  }
});
