import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Environment, startEnvironment } from "@/e2e/faults/environment";
import { type Fault, type FaultName, faults } from "@/e2e/faults/matrix/fault-table";
import { givenAgain, type JobName, jobs, meaningOf } from "@/e2e/faults/matrix/job-table";
import type { Work } from "@/e2e/faults/work";
import { query } from "@/e2e/support/servers/databases";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { until } from "@/e2e/support/until";

/** Long enough for every job to meet the fault. */
const MIN_FAULT_MS = 5_000;
/** After a fault, a job is done by then unless its work is leased by a process that was killed. */
const AT_ONCE_MS = 60_000;

const jobNames = Object.keys(jobs) as JobName[];

let environment: Environment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment?.destroy());

/** Leased items, by table and the column of the lease's end. */
const leases = [
  ["uptime_monitors", "leased_until"],
  ["certificate_endpoints", "leased_until"],
  ["certificate_names", "leased_until"],
  ["certificate_renewals", "leased_until"],
  ["notification_deliveries", "leased_until"],
  ["audit_view_emails", "leased_until"],
  ["anchor_channels", "leased_until"],
  ["domain_sources", "leased_until"],
  ["alert_evaluations", "leased_until"],
  ["alert_evaluations", "events_leased_until"],
] as const;

/** Items leased by a process that lost its connection or died are due again after a minute or more; here after a moment. */
async function shortenLeases(): Promise<void> {
  for (const [table, column] of leases) {
    // An evaluation that is leased is due again at the end of its lease.
    const due = table === "alert_evaluations" ? `, ${column.replace("leased_until", "next_at")} = now()` : "";
    const text = `UPDATE ${table} SET ${column} = now() + interval '2 seconds'${due} WHERE ${column} > now() + interval '2 seconds'`;
    await query(environment.server, "app", text);
  }
  const stamps = "UPDATE audit_seal_stamps SET leased_until = now() WHERE leased_until > now()";
  await query(environment.server, "audit", stamps);
  const witnesses =
    "UPDATE audit_seal_witnesses SET leased_until = NULL, next_at = now() WHERE leased_until > now() OR next_at > now()";
  await query(environment.server, "audit", witnesses);
}

describe.each(Object.entries(faults) as [FaultName, Fault][])("while %s", (faultName, fault) => {
  const works = new Map<JobName, Work>();
  const workOf = (job: JobName) => {
    const work = works.get(job);
    if (work === undefined) throw new Error(`${job} got no work`, { cause: failures.get(job) });
    return work;
  };
  const failures = new Map<JobName, unknown>();
  const give = async (job: JobName) => {
    try {
      works.set(job, await jobs[job](environment));
    } catch (error) {
      failures.set(job, error);
    }
  };
  const that = (meaning: string) => jobNames.filter((job) => meaningOf(job, faultName) === meaning);
  const again = new Map<JobName, Work>();
  const hasLasted = () => until("the fault has lasted", () => performance.now() - begunAt > MIN_FAULT_MS);
  let pids: Record<string, unknown>;
  let begunAt = 0;
  let end = async () => {};

  beforeAll(async () => {
    if (fault.skipped) return;
    pids = environment.server.pids();
    await withoutWorker(environment.server, async () => {
      for (const job of jobNames) await give(job);
      if (!fault.inTheMiddle) end = await fault.begin(environment);
    });
    for (const work of works.values()) void work.begun?.();
    if (fault.inTheMiddle) end = await fault.begin(environment);
    begunAt = performance.now();
  });

  const meanwhile = fault.lasts ? that("goes on") : [];
  test.skipIf(fault.skipped).each(meanwhile)("%s: goes on", async (job) => {
    await until(`${job} did its work`, workOf(job).isDone);
    if (!givenAgain.includes(job)) return;
    // If statements wait for a lock now, they have been waiting for a while.
    await hasLasted();
    const work = await jobs[job](environment);
    again.set(job, work);
    await until(`${job} did more work`, work.isDone);
  });

  describe("and after", () => {
    beforeAll(async () => {
      if (fault.skipped) return;
      if (fault.lasts) await hasLasted();
      await end();
      const isReady = async () => (await fetch(`${environment.server.url}/readyz`)).ok;
      await until("Sealwatch is ready", isReady);
      await shortenLeases();
    });

    test.skipIf(fault.skipped).each(jobNames)("%s: done once", async (job) => {
      const work = workOf(job);
      const [meaning, what] = [meaningOf(job, faultName), `${job} did its work`];
      if (meaning === "goes on") await until(what, work.isDone);
      else
        await until(what, work.isDone, AT_ONCE_MS).catch(async () => {
          // A statement of a process that was killed may have leased after the leases were shortened.
          await shortenLeases();
          await until(what, work.isDone);
        });
      await work.verify(meaning);
      await again.get(job)?.verify("goes on");
    });

    test.skipIf(fault.skipped)("no process has died", () => {
      const now = environment.server.pids();
      const expected = faultName === "the worker is killed" ? { ...pids, worker: now.worker } : pids;
      expect(now).toEqual(expected);
    });
  });
});
