import { afterAll, beforeAll, expect, test } from "vitest";
import { type Environment, startEnvironment } from "@/e2e/faults/environment";
import { type Fault, type FaultName, faults } from "@/e2e/faults/matrix/fault-table";
import { type JobName, jobs } from "@/e2e/faults/matrix/job-table";
import { accountsOf, differences, showAccounts } from "@/e2e/faults/soak/soak-accounts";
import { SoakTenant } from "@/e2e/faults/soak/soak-tenant";
import type { Work } from "@/e2e/faults/work";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { until } from "@/e2e/support/until";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 3);
const SEED = Number(process.env.SOAK_SEED ?? 1);
/** Milliseconds between the starts of two faults: thirty of them in ten minutes. */
const EVERY_MS = 20_000;
/** Milliseconds that a fault lasts, at least and at most. */
const LASTS_MS = [2_000, 10_000] as const;
const CONCURRENT_WORKS = 4;
const CATCH_UP_MS = 300_000;
/** Their leases or retries after an error take longer than this; the matrix has them. */
const SLOW_TO_RETRY: readonly JobName[] = [
  "weekly e-mails",
  "time stamps",
  "cosignatures",
  "CAA records",
  "renewal windows",
];

let environment: Environment;
let tenants: SoakTenant[] = [];

beforeAll(async () => {
  environment = await startEnvironment();
  tenants = await Promise.all([SoakTenant.start(environment), SoakTenant.start(environment)]);
});
afterAll(async () => {
  for (const tenant of tenants) tenant.destroy();
  await environment?.destroy();
});

/** Numbers from 0 to 1, the same for a seed in every run (mulberry32). */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const draw = drawing(SEED);
function drawn<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(draw() * items.length)];
  if (item === undefined) throw new Error("nothing to draw from");
  return item;
}

const table = (Object.entries(faults) as [FaultName, Fault][]).filter(([, fault]) => !fault.skipped);
const met = new Map<FaultName, number>();
const given = new Map<JobName, { given: number; done: number }>();
const works = new Map<JobName, Work>();

/** Gives work to some jobs that have none left. */
async function giveWork(): Promise<void> {
  for (let n = 0; n < CONCURRENT_WORKS; n++) {
    const idle = (Object.keys(jobs) as JobName[]).filter((job) => !works.has(job) && !SLOW_TO_RETRY.includes(job));
    if (idle.length === 0) break;
    const job = drawn(idle);
    works.set(job, await jobs[job](environment));
    const count = given.get(job) ?? { given: 0, done: 0 };
    given.set(job, { ...count, given: count.given + 1 });
  }
}

/** Checks finished work while there is no fault. */
async function verifyWork(isLast: boolean): Promise<void> {
  for (const [job, work] of works) {
    if (isLast) await until(`${job} did its work`, work.isDone, CATCH_UP_MS);
    else if (!(await work.isDone())) continue;
    await work.verify("catches up");
    works.delete(job);
    const count = given.get(job) ?? { given: 0, done: 0 };
    given.set(job, { ...count, done: count.done + 1 });
  }
}

async function passed(since: number, ms: number): Promise<void> {
  await until(`${ms} ms are over`, () => performance.now() - since > ms, 2 * ms + 1_000);
}

async function isReady(): Promise<void> {
  await until("Sealwatch is ready", async () => (await fetch(`${environment.server.url}/readyz`)).ok);
}

async function breakSomething(): Promise<void> {
  const begunAt = performance.now();
  const [name, fault] = drawn(table);
  const lasts = LASTS_MS[0] + draw() * (LASTS_MS[1] - LASTS_MS[0]);
  let end = async () => {};
  await withoutWorker(environment.server, async () => {
    await giveWork();
    if (!fault.inTheMiddle) end = await fault.begin(environment);
  });
  if (fault.inTheMiddle) end = await fault.begin(environment);
  for (const work of works.values()) void work.begun?.();
  if (fault.lasts) await passed(performance.now(), lasts);
  await end();
  met.set(name, (met.get(name) ?? 0) + 1);
  await isReady();
  await verifyWork(false);
  await passed(begunAt, EVERY_MS);
}

test(
  `${MINUTES} minutes with a fault every ${EVERY_MS / 1000} s: requests, outages and notifications agree with Sealwatch`,
  async () => {
    const begunAt = performance.now();
    // On a busy machine a fault may take longer than its turn; their number stays the same.
    for (let count = 0; performance.now() - begunAt < MINUTES * 60_000 || count * EVERY_MS < MINUTES * 60_000; count++)
      await breakSomething();
    await Promise.all(tenants.map((tenant) => tenant.stop()));
    await verifyWork(true);
    const accounts = await until(
      "all has arrived",
      async () => {
        const found = await Promise.all(tenants.map((tenant) => accountsOf(environment.server, tenant)));
        return found.flatMap(differences).length === 0 && found;
      },
      CATCH_UP_MS,
    ).catch(() => Promise.all(tenants.map((tenant) => accountsOf(environment.server, tenant))));
    const broken = [...met].map(([name, times]) => `${String(times).padStart(4)} × ${name}`);
    const done = [...given].map(([job, count]) => `${String(count.done).padStart(4)} of ${count.given} ${job}`);
    console.log(
      [`Seed ${SEED}, ${MINUTES} minutes`, "Faults", ...broken, "Work", ...done, ...showAccounts(accounts)].join("\n"),
    );
    expect(accounts.flatMap(differences)).toEqual([]);
  },
  2 * MINUTES * 60_000 + 900_000,
);
