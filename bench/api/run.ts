import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { buildBare, type Subject, startBare, startBetterAuth } from "@/bench/api/peers";
import { floorBench } from "@/bench/floor/run";
import { stepsBench } from "@/bench/floor/steps";
import { makeKeys } from "@/bench/keys";
import { load, type Outcome } from "@/bench/load";
import { ms, percentile, row } from "@/bench/measure";
import { Api } from "@/e2e/support/api";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { startRedis } from "@/e2e/support/servers/redis";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { newId } from "@/lib/ids";

const PATH = "/api/v1/certificates";
const CONNECTIONS = 32;
const CERTIFICATES = 10;
const KEYS = 1_000;
const FEW = 10;
const MANY = 100_000;
const NAMES = {
  bare: "bare route handler",
  betterAuth: "Better Auth handler",
  memory: "Sealwatch, memory store",
  redis: "Sealwatch, Redis store",
  few: "Sealwatch, 10 keys",
  amongMany: "Sealwatch, 10 of 100,000 keys",
  many: "Sealwatch, 100,000 keys in turn",
};

/** Creates an organization with keys and certificates in an installation, and returns it as a subject to measure. */
async function furnish(name: string, server: Sealwatch, keys: number): Promise<Subject> {
  const secrets = await makeKeys(server.databases.app, newId(), keys);
  const api = new Api(server.url, { authorization: `Bearer ${secrets[0]}` });
  for (let n = 0; n < CERTIFICATES; n++) {
    const { pem } = await makeCertificate({
      name: `host-${n}.example.test`,
      sans: [`host-${n}.example.test`, "example.test"],
    });
    if ((await api.post("/certificates", { pem })).status !== 201) throw new Error("a certificate was not accepted");
  }
  return { name, url: server.url, path: PATH, secrets };
}

/** How many rows of keys were ever updated, which is the cost of storing their last use. */
async function keyUpdates(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ updates: string }>(
    "SELECT n_tup_upd AS updates FROM pg_stat_user_tables WHERE relname = 'api_keys'",
  );
  await client.end();
  return Number(rows[0]?.updates);
}

/** Starts every subject. Calls `started` for each, so that the caller can stop it after an error. */
async function startAll(folder: string, started: (stop: () => Promise<void>) => void) {
  const redis = await startRedis();
  started(() => redis.destroy());
  const sealwatch = async (name: string, keys: number, env: Record<string, string> = {}) => {
    const server = await startSealwatch({ ...liftedLimits, ...env });
    started(() => server.destroy());
    return { subject: await furnish(name, server, keys), databaseUrl: server.databases.app };
  };
  const { subject: memory, databaseUrl } = await sealwatch(NAMES.memory, KEYS);
  const { subject: shared } = await sealwatch(NAMES.redis, KEYS, { REDIS_URL: redis.url });
  const { subject: few } = await sealwatch(NAMES.few, FEW);
  const { subject: many } = await sealwatch(NAMES.many, MANY);
  const amongMany = {
    ...many,
    name: NAMES.amongMany,
    secrets: many.secrets.filter((_, index) => index % (MANY / FEW) === 0),
  };
  const answer = join(folder, "answer.json");
  const page = await fetch(memory.url + PATH, { headers: { authorization: `Bearer ${memory.secrets[0]}` } });
  writeFileSync(answer, await page.text());
  await buildBare(answer);
  const bare = await startBare(NAMES.bare, answer);
  started(bare.stop);
  const betterAuth = await startBetterAuth(NAMES.betterAuth, answer, databaseUrl, KEYS);
  started(betterAuth.stop);
  return { subjects: [bare, betterAuth, memory, shared, few, amongMany, many], databaseUrl };
}

/** Measures all subjects in turns. The first one changes every round, so that other load on the machine affects all of them. */
async function inTurns(subjects: readonly Subject[], rounds: number, seconds: number, rate?: number) {
  const outcomes = new Map<Subject, Outcome[]>(subjects.map((subject) => [subject, []]));
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(turn + Math.max(0, round)) % subjects.length] as Subject;
      const options = { ...subject, connections: CONNECTIONS, ms: seconds * 1000, ...(rate !== undefined && { rate }) };
      const outcome = await load(options);
      // An extra round before the first warms up.
      if (round >= 0) outcomes.get(subject)?.push(outcome);
    }
  }
  return (name: string) => {
    const found = [...outcomes].find(([subject]) => subject.name === name)?.[1] ?? [];
    return {
      rates: found.map(({ rate }) => rate),
      p99: percentile(
        found.flatMap(({ latencies }) => latencies),
        0.99,
      ),
    };
  };
}

/**
 * Compares `GET /api/v1/certificates` with a bare Next.js route handler that returns the same response, and with that handler
 * behind Better Auth: production builds under the same load. Ratios are medians over rounds, each of neighbouring measurements.
 */
export async function apiBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "5" },
      only: { type: "string" },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (values.only === undefined || values.only === "floor") await floorBench(rounds, seconds);
  if (values.only === "steps") await stepsBench(seconds);
  if (values.only === "floor" || values.only === "steps") return;
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-bench-"));
  const stops: (() => Promise<void>)[] = [];
  try {
    const { subjects, databaseUrl } = await startAll(folder, (stop) => stops.unshift(stop));
    const [updated, started] = [await keyUpdates(databaseUrl), performance.now()];
    const full = await inTurns(subjects, rounds, seconds);
    const updates = (await keyUpdates(databaseUrl)) - updated;
    const minutes = (performance.now() - started) / 60_000;
    row("at full load", "requests/s", "p99");
    row("---", "---:", "---:");
    for (const { name } of subjects) row(name, Math.round(percentile(full(name).rates, 0.5)), ms(full(name).p99));
    const halves = [NAMES.memory, NAMES.bare].map((name) => Math.floor(percentile(full(name).rates, 0.5) / 2));
    const paced = [];
    for (const rate of halves) {
      const two = subjects.filter(({ name }) => name === NAMES.bare || name === NAMES.memory);
      paced.push({ rate, measured: await inTurns(two, rounds, seconds, rate) });
    }
    const throughput = (one: string, other: string) => {
      const [ours, theirs] = [full(one).rates, full(other).rates];
      return percentile(
        ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)),
        0.5,
      ).toFixed(2);
    };
    const p99 = (measured: typeof full) => {
      const [ours, theirs] = [measured(NAMES.memory).p99, measured(NAMES.bare).p99];
      return `${(ours / theirs).toFixed(2)} (${ms(ours)} to ${ms(theirs)})`;
    };
    row("ratio", "measured", "target");
    row("---", "---:", "---:");
    row("throughput against the bare handler", throughput(NAMES.memory, NAMES.bare), "≥ 0.9");
    row("throughput against the Better Auth handler", throughput(NAMES.memory, NAMES.betterAuth), "≥ 4");
    row("p99 against the bare handler's, each at full load", p99(full), "≤ 1.5");
    for (const { rate, measured } of paced) {
      row(`p99 against the bare handler's, each at ${rate} requests/s`, p99(measured), "≤ 1.5");
    }
    row("throughput with Redis against with memory", throughput(NAMES.redis, NAMES.memory), "≥ 0.85");
    row("throughput with 100,000 keys issued against 10", throughput(NAMES.amongMany, NAMES.few), "≥ 0.95");
    row("throughput with 100,000 keys in use against 10", throughput(NAMES.many, NAMES.few), "≥ 0.95");
    process.stdout.write(
      `\nLast use of ${KEYS} keys in use: ${Math.round(updates / minutes)} rows written per minute.\n`,
    );
  } finally {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
