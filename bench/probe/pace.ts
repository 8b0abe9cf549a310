import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext, connect as tlsConnect } from "node:tls";
import { percentile, row } from "@/bench/measure";
import { addressOf, nameOf, ORGANIZATION, plant } from "@/bench/probe/endpoints";
import type { Farm } from "@/bench/probe/farm";
import { familyOf } from "@/e2e/support/servers/processes";
import { checkDueEndpoints } from "@/lib/certificates/check/check-due";
import { config } from "@/lib/config";
import { pool } from "@/lib/db/app";
import { defaultSlots } from "@/lib/jobs/leased-work";
import { readPostmaster } from "@/server/embedded/postgres-process";

/** The length of a Linux clock tick, the unit of /proc. */
const TICKS_PER_SECOND = 100;

/** One endpoint in this many is scanned, because a scan costs as much as many checks. */
const SCANNED_SHARE = 10;

interface Cost {
  /** Checks per second of wall-clock time. */
  rate: number;
  /** Milliseconds of CPU per check, of this process alone. */
  cpuMs: number;
  /** The same, including PostgreSQL's processes. */
  cpuWithDatabaseMs: number;
}

/** Milliseconds of CPU that PostgreSQL's processes have used. */
function databaseCpuMs(): number {
  const postmaster = readPostmaster(join(config().DATA_DIR, "postgres", "data"));
  if (!postmaster) throw new Error("the embedded PostgreSQL is not running");
  const ticks = familyOf(postmaster.pid).map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  return (ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND) * 1000;
}

async function costOf(count: number, work: () => Promise<void>): Promise<Cost> {
  const [before, database, started] = [process.cpuUsage(), databaseCpuMs(), performance.now()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  const own = (user + system) / 1000;
  return {
    rate: count / seconds,
    cpuMs: own / count,
    cpuWithDatabaseMs: (own + databaseCpuMs() - database) / count,
  };
}

/** Only handshakes, with one shared context and the worker's concurrency. */
async function bareLoop(farm: Farm, count: number): Promise<void> {
  const secureContext = createSecureContext({ ca: [] });
  let next = 0;
  const one = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = tlsConnect({
        host: addressOf(n),
        port: farm.port,
        servername: nameOf(farm, n),
        secureContext,
        rejectUnauthorized: false,
      });
      socket.once("error", reject).once("secureConnect", () => {
        socket.removeListener("error", reject).on("error", () => {});
        socket.destroySoon();
        resolve();
      });
    });
  const run = async () => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: defaultSlots.total }, run));
}

async function makeAllDue(): Promise<void> {
  await pool().query("UPDATE certificate_endpoints SET next_check_at = now() WHERE organization_id = $1", [
    ORGANIZATION,
  ]);
}

/** Has `count` endpoints checked and scanned. */
async function makeScansDue(count: number): Promise<void> {
  await pool().query(
    `UPDATE certificate_endpoints SET next_check_at = now(), tls_scan_due_at = now()
     WHERE organization_id = $1 AND id IN (SELECT id FROM certificate_endpoints WHERE organization_id = $1 ORDER BY id LIMIT $2)`,
    [ORGANIZATION, count],
  );
}

/** Throws unless every endpoint has been checked without findings: checks that fail early would distort the result. */
async function allFine(since: Date): Promise<void> {
  const { rows } = await pool().query<{ status: string; count: number }>(
    `SELECT CASE WHEN last_checked_at >= $2 THEN status ELSE 'not checked' END AS status, count(*)::integer AS count
     FROM certificate_endpoints WHERE organization_id = $1 GROUP BY 1`,
    [ORGANIZATION, since],
  );
  const others = rows.filter(({ status }) => status !== "ok");
  if (others.length > 0) throw new Error(`not all are fine: ${JSON.stringify(rows)}`);
}

const median = (values: readonly number[]) => percentile(values, 0.5);

/** Compares checks from lease to write with bare handshakes, in turns. An extra round before the first fills tables and caches. */
export async function measurePace(farm: Farm, count: number, rounds: number): Promise<void> {
  const client = await pool().connect();
  await plant(client, farm, count, { overSeconds: 0 });
  client.release();
  const costs = { bare: [] as Cost[], whole: [] as Cost[], scans: [] as Cost[] };
  for (let round = 0; round <= rounds; round++) {
    const bare = await costOf(count, () => bareLoop(farm, count));
    await makeAllDue();
    const since = new Date();
    const whole = await costOf(count, () => checkDueEndpoints(new AbortController().signal));
    await allFine(since);
    if (round === 0) {
      row("what", "checks/s", "CPU per check", "share of the bare loop's rate per core", "with PostgreSQL's CPU");
      row("---", "---:", "---:", "---:", "---:");
      printRow("the first check of each", [whole], [bare]);
      continue;
    }
    costs.bare.push(bare);
    costs.whole.push(whole);
    const scanned = Math.ceil(count / SCANNED_SHARE);
    await makeScansDue(scanned);
    costs.scans.push(await costOf(scanned, () => checkDueEndpoints(new AbortController().signal)));
  }
  printRow("bare `tls.connect`", costs.bare, costs.bare);
  printRow("whole path", costs.whole, costs.bare);
  printRow("whole path with a scan", costs.scans, costs.bare);
}

function printRow(what: string, costs: readonly Cost[], beside: readonly Cost[]): void {
  const ratios = (cost: (of: Cost) => number) =>
    median(costs.map((own, at) => (beside[at]?.cpuMs ?? Number.NaN) / cost(own))).toFixed(2);
  row(
    what,
    Math.round(median(costs.map(({ rate }) => rate))),
    `${median(costs.map(({ cpuMs }) => cpuMs)).toFixed(2)} ms`,
    ratios(({ cpuMs }) => cpuMs),
    costs === beside ? "" : ratios(({ cpuWithDatabaseMs }) => cpuWithDatabaseMs),
  );
}
