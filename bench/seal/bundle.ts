import { spawn } from "node:child_process";
import { createWriteStream, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { LARGEST } from "@/bench/audit/events";
import { makeKeys, SERVER_KEYS } from "@/bench/keys";
import { ms, percentile, row } from "@/bench/measure";
import { serveMeasured } from "@/bench/serve";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { config, requireSetting } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";

const PROOFS = 500;
const POLL_MS = 200;

/** Measures proofs, and unless `only` they are wanted, the bundle of the whole log of the largest organization and its verification. */
export async function measureSealedServer(label: string, only: "proofs" | null): Promise<void> {
  const server = await serveMeasured({ ...liftedLimits, ...SERVER_KEYS });
  try {
    const [secret = ""] = await makeKeys(requireSetting("DATABASE_URL"), LARGEST, 1);
    const get = async (path: string) => {
      const answer = await fetch(`${server.url}/api/v1/audit-logs${path}`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
      return answer;
    };
    const { data: log } = await signed(get);
    await measureProofs(label, get);
    if (only === "proofs") return;
    const file = join(config().DATA_DIR, "bundle.ndjson");
    const started = performance.now();
    await pipeline(
      Readable.fromWeb((await get("/export?format=ndjson&include=seal")).body as never),
      createWriteStream(file),
    );
    const perSecond = Math.round(log.size / ((performance.now() - started) / 1000));
    row(label, "bundle", `${perSecond} events/s`, `${Math.round(statSync(file).size / 2 ** 20)} MiB`);
    const { seconds, peak, code } = await verify(file, log.vkey);
    rmSync(file);
    row(
      label,
      "verifying it",
      `${Math.round(log.size / seconds)} events/s, exit code ${code}`,
      `${Math.round(seconds)} s, ${Math.round(peak)} MiB at most`,
    );
  } finally {
    await server.destroy();
  }
}

interface Signed {
  data: { size: number; vkey: string; lag_seconds: number | null };
}

/** The state of the log when a checkpoint covers more than its last 1,000 events. */
async function signed(get: (path: string) => Promise<Response>): Promise<Signed> {
  const { rows } = await auditPool().query<{ size: number }>(
    "SELECT size::float8 AS size FROM audit_seal_logs WHERE organization_id = $1",
    [LARGEST],
  );
  for (;;) {
    const state = (await (await get("/seal")).json()) as Signed;
    if (state.data.size > (rows[0]?.size ?? 0) - 1_000) return state;
    await delay(POLL_MS);
  }
}

async function measureProofs(label: string, get: (path: string) => Promise<Response>): Promise<void> {
  const { rows } = await auditPool().query<{ id: string }>(
    `SELECT ids[1 + floor(random() * cardinality(ids))] AS id FROM audit_seals WHERE organization_id = $1 ORDER BY random() LIMIT $2`,
    [LARGEST, PROOFS],
  );
  const taken: number[] = [];
  for (const { id } of rows) {
    const started = performance.now();
    await (await get(`/${id}/proof`)).text();
    taken.push(performance.now() - started);
  }
  row(
    label,
    "GET /audit-logs/{id}/proof",
    `p95 ${ms(percentile(taken, 0.95))}`,
    `median ${ms(percentile(taken, 0.5))}`,
  );
}

/** Runs the verifier as a user does. `peak` is its memory in MiB, at most. */
async function verify(file: string, vkey: string): Promise<{ seconds: number; peak: number; code: number | null }> {
  const started = performance.now();
  const child = spawn(process.execPath, ["public/sealwatch-verify.mjs", file, "--vkey", vkey], { stdio: "ignore" });
  let code: number | null | undefined;
  child.once("close", (status) => (code = status));
  let peak = 0;
  while (code === undefined) {
    await delay(POLL_MS);
    try {
      const [, kib = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      peak = Math.max(peak, Number(kib) / 1024);
    } catch {
      // It has ended.
    }
  }
  return { seconds: (performance.now() - started) / 1000, peak, code };
}
