import { once } from "node:events";
import { readFileSync } from "node:fs";
import pg from "pg";
import { makeKeys } from "@/bench/keys";
import { load, type Outcome, type Write } from "@/bench/load";
import { ms, percentile, row } from "@/bench/measure";
import { Api } from "@/e2e/support/api";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { startRedis } from "@/e2e/support/servers/redis";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";
import { freePort } from "@/server/port";
import { spawnTied } from "@/server/tied.mjs";

const PATH = "/api/v1/certificates";
const CONNECTIONS = 64;
const CERTIFICATES = 10;
const KEYS = 100;
const RATES = [20, 200, 600];
/** The clock of /proc/PID/stat, per second. */
const TICKS = 100;

interface Subject {
  url: string;
  secrets: string[];
  /** Updates the endpoint that was created for this subject. */
  update: (n: number) => Write;
}

/** A turn of one of two subjects: requests per second, and latencies in milliseconds. */
type Turns = [Outcome[], Outcome[]];

/** Measures two subjects in turns, the first one alternately, after a turn of each to warm up. */
async function inTurns(
  [one, other]: readonly [Subject, Subject],
  rounds: number,
  optionsOf: (subject: Subject) => Omit<Parameters<typeof load>[0], "url" | "secrets">,
): Promise<Turns> {
  const outcomes: Turns = [[], []];
  for (let round = -1; round < rounds; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const subject = which === 0 ? one : other;
      const outcome = await load({ ...subject, ...optionsOf(subject) });
      if (round >= 0) outcomes[which].push(outcome);
    }
  }
  return outcomes;
}

/** The median over rounds of a ratio of neighbouring turns, with both medians in brackets. */
function ratio([ours, theirs]: Turns, figure: (outcome: Outcome) => number, show: (value: number) => string): string {
  const median = (outcomes: readonly Outcome[]) => show(percentile(outcomes.map(figure), 0.5));
  const ratios = ours.map((outcome, round) => figure(outcome) / figure(theirs[round] ?? outcome));
  return `${percentile(ratios, 0.5).toFixed(2)} (${median(ours)} to ${median(theirs)})`;
}

const perSecond = (value: number) => `${Math.round(value)}/s`;
const rateOf = ({ rate }: Outcome) => rate;
const at = (share: number) => (outcome: Outcome) => percentile(outcome.latencies, share);

/** Sealwatch with keys, certificates and an endpoint that nothing checks. */
async function furnish(server: Sealwatch): Promise<Subject> {
  const organization = newId();
  const secrets = await makeKeys(server.databases.app, organization, KEYS);
  await run(server.databases.app, `UPDATE organizations SET plan = 'enterprise' WHERE id = '${organization}'`);
  const api = new Api(server.url, { authorization: `Bearer ${secrets[0]}` });
  for (let n = 0; n < CERTIFICATES; n++) {
    const { pem } = await makeCertificate({
      name: `host-${n}.example.test`,
      sans: [`host-${n}.example.test`, "example.test"],
    });
    if ((await api.post("/certificates", { pem })).status !== 201) throw new Error("a certificate was not accepted");
  }
  return { url: server.url, secrets, update: await updateOf(server.url, secrets) };
}

async function run(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

let created = 0;
const create = (): Write => ({
  method: "POST",
  path: "/api/v1/certificates/endpoints",
  body: { host: `host-${created++}.example.test`, port: 443, reported: true },
});

async function updateOf(url: string, [secret]: readonly string[]): Promise<Subject["update"]> {
  const { path, body } = create();
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const { data } = (await answer.json()) as { data: { id: string } };
  return (n) => ({ method: "PUT", path: `${path}/${data.id}`, body: { tags: [`round-${n}`] } });
}

/** The floor on the databases of an installation, reached the same way, with the same keys. */
async function startFloor({ databases, urls }: Sealwatch, secrets: string[]) {
  await run(databases.app, readFileSync("bench/floor/app.sql", "utf8"));
  await run(databases.audit, readFileSync("bench/floor/audit.sql", "utf8"));
  const port = await freePort();
  const { search } = new URL(urls.DATABASE_URL);
  const env = {
    DATABASE_URL: databases.app + search,
    AUDIT_DATABASE_URL: databases.audit + search,
    PORT: String(port),
  };
  const child = spawnTied(["bench/floor/server.mjs"], { env, graceMs: 0, detached: false });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${secrets[0]}` };
  await until("the floor serves", async () => (await fetch(url + PATH, { headers })).status === 200);
  const subject: Subject = { url, secrets, update: await updateOf(url, secrets) };
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { subject, stop };
}

/** The processor time of processes so far, in milliseconds. */
function processorMs(pids: readonly number[]): number {
  return pids
    .map((pid) =>
      readFileSync(`/proc/${pid}/stat`, "latin1")
        .replace(/^.*\) /, "")
        .split(" "),
    )
    .reduce((sum, fields) => sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS, 0);
}

/** Compares the API with a server written by hand, and two web processes with one. Ratios are medians over neighbouring turns. */
export async function floorBench(rounds: number, seconds: number): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const server = await startSealwatch(liftedLimits);
    stops.unshift(() => server.destroy());
    const own = await furnish(server);
    const floor = await startFloor(server, own.secrets);
    stops.unshift(floor.stop);
    const both = [own, floor.subject] as const;
    const whole = { path: PATH, connections: CONNECTIONS, ms: seconds * 1000 };
    row("against the hand-written floor", "measured", "to reach");
    row("---", "---:", "---:");
    const full = await inTurns(both, rounds, () => whole);
    row(`throughput, ${CONNECTIONS} connections`, ratio(full, rateOf, perSecond), "≥ 0.9");
    for (const rate of RATES) {
      const paced = await inTurns(both, rounds, () => ({ ...whole, rate }));
      row(`median at ${rate} requests/s`, ratio(paced, at(0.5), ms), "≤ 1.3");
      if (rate > 20) row(`p99 at ${rate} requests/s`, ratio(paced, at(0.99), ms), "≤ 1.5");
    }
    const posts = await inTurns(both, rounds, () => ({ ...whole, write: create }));
    row("throughput of POST /certificates/endpoints", ratio(posts, rateOf, perSecond), "≥ 0.7");
    const puts = await inTurns(both, rounds, ({ update }) => ({ ...whole, write: update }));
    row("throughput of PUT, all to one endpoint", ratio(puts, rateOf, perSecond), "≥ 0.7");
    await floor.stop();
    await server.destroy();
    stops.length = 0;
    await compareProcesses(rounds, seconds, (stop) => stops.unshift(stop));
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Two web processes against one on the same cores, which they share with load and PostgreSQL. */
async function compareProcesses(rounds: number, seconds: number, started: (stop: () => Promise<void>) => void) {
  const redis = await startRedis();
  started(() => redis.destroy());
  const start = async (processes: string) => {
    const server = await startSealwatch({ ...liftedLimits, REDIS_URL: redis.url, WEB_CONCURRENCY: processes });
    started(() => server.destroy());
    const pids = server.webPids();
    return { subject: await furnish(server), pids, spent: 0, answered: 0 };
  };
  const sides = [await start("2"), await start("1")] as const;
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = sides[which];
      const before = processorMs(side.pids);
      const options = { path: PATH, connections: CONNECTIONS, ms: seconds * 1000 };
      const { rate, latencies } = await load({ ...side.subject, ...options });
      if (round < 0) continue;
      rates[which].push(rate);
      side.spent += processorMs(side.pids) - before;
      side.answered += latencies.length;
    }
  }
  const [two, one] = rates;
  const throughput = percentile(
    two.map((rate, round) => rate / (one[round] ?? rate)),
    0.5,
  );
  const [both, single] = sides.map(({ spent, answered }) => spent / answered) as [number, number];
  row("two web processes against one: throughput", throughput.toFixed(2), "≥ 0.95");
  row("two web processes against one: processor time per request", (both / single).toFixed(2), "≤ 1.1");
}
