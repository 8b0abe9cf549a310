import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import pg from "pg";
import { until } from "@/e2e/support/until";
import { freePort } from "@/server/port";
import { spawnTied } from "@/server/tied.mjs";

const NEXT = "node_modules/next/dist/bin/next";
const READY_MS = 60_000;

/** A server that answers `GET path` with a page of certificates. */
export interface Subject {
  name: string;
  url: string;
  path: string;
  secrets: string[];
}

type Peer = Subject & { pid: number; stop: () => Promise<void> };

async function runNext(args: string[], env: Record<string, string>) {
  const child = spawnTied([NEXT, ...args], {
    env: { ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    graceMs: 0,
    detached: false,
  });
  return { child, ended: once(child, "exit") };
}

async function buildPeer(folder: string, env: Record<string, string>): Promise<void> {
  const { ended } = await runNext(["build", folder], env);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${folder} could not be built`);
}

/** Starts the Next application in `folder` like `next start`. */
async function startPeer(name: string, folder: string, env: Record<string, string>, secrets: string[]) {
  const port = await freePort();
  const { child, ended } = await runNext(["start", folder, "-H", "127.0.0.1", "-p", String(port)], env);
  const url = `http://127.0.0.1:${port}`;
  await until(
    `${name} serves`,
    async () => {
      const headers = { authorization: `Bearer ${secrets[0]}` };
      return (await fetch(`${url}/certificates`, { headers })).status === 200;
    },
    READY_MS,
  );
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { name, url, path: "/certificates", secrets, pid: child.pid ?? 0, stop };
}

const BARE = "bench/api/bare";

/** Builds the application that `startBare` starts. */
export function buildBare(answer: string): Promise<void> {
  return buildPeer(BARE, { BENCH_ANSWER: answer });
}

/** Starts a bare route handler that returns the content of the file `answer`. It must have been built. */
export function startBare(name: string, answer: string): Promise<Peer> {
  return startPeer(name, BARE, { BENCH_ANSWER: answer }, [""]);
}

/** Starts the same handler behind Better Auth's API keys, their rate limit and one insert, with a new database at `postgresUrl`. */
export async function startBetterAuth(name: string, answer: string, postgresUrl: string, keys: number): Promise<Peer> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query("CREATE DATABASE better_auth");
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = "/better_auth";
  const env = { BENCH_ANSWER: answer, DATABASE_URL: url.href };
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/api/better-auth/seed.js", String(keys)], {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
  });
  await buildPeer("bench/api/better-auth", env);
  return startPeer(name, "bench/api/better-auth", env, JSON.parse(stdout));
}
