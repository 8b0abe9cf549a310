import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aged } from "@/e2e/audit/aging";
import { atSwift, rangesIn, verifyBucket } from "@/e2e/audit/destinations/bucket";
import {
  batchesOf,
  eventsIn,
  grow,
  linesOf,
  omittedIn,
  PATH,
  sentUpTo,
  stored,
  streamTo,
  takenBy,
} from "@/e2e/audit/destinations/streaming";
import { placeHoldAgo, releaseHold } from "@/e2e/audit/holding";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { hasSwift, type SwiftS3, startSwiftS3 } from "@/e2e/support/servers/swift/swift-s3";
import { newSession } from "@/e2e/support/session";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { enforceRetention } from "@/lib/audit-logs/retain/retention";
import { beginEpoch } from "@/lib/audit-logs/sign/new-epoch";
import type { Destination, DestinationWithSecret } from "@/lib/destinations/contract";
import { DAY_MS } from "@/lib/time/units";
import { auditSealKey, encryptionKey } from "@/server/data-dir";

/** More batches than are taken between the kills. */
const BACKLOG = 15_000;
const KILLS = 6;
/** Less than a receiver has to answer. */
const SLOW_MS = 25_000;

let server: Sealwatch;
let swift: SwiftS3 | null = null;
const closers: (() => unknown)[] = [];

// A separate server: its workers are killed, and an epoch is one of all organizations.
beforeAll(async () => {
  server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
  if (hasSwift) swift = await startSwiftS3(await closedPort());
  await startSecondWorker();
});
afterAll(async () => {
  for (const close of closers) close();
  await swift?.stop();
  await server?.destroy();
});

const app = (text: string, values: unknown[] = []) => query(server, "app", text, values);

const eventOf = ({ id }: Organization) =>
  new AuditEventDraft({ organization_id: id, method: "GET", path: "/backlog", status_code: 200 }).row;

async function aSink(): Promise<Sink> {
  const sink = await newSink();
  closers.push(sink.close);
  return sink;
}

/** Starts a second worker on the same databases. */
function startSecondWorker() {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-worker-"));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ["server/start.mjs", "--worker-only"], {
    env: {
      ...{ NODE_ENV: "production", PATH, HOME, ...server.plain.env, ...server.urls, DATA_DIR: folder },
      ENCRYPTION_KEY: encryptionKey(server.dataDir),
      AUDIT_SEAL_KEY: auditSealKey(server.dataDir),
      METRICS_PORT: "",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  closers.push(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return until("the second worker runs", () => said.includes("The worker runs"));
}

/** Ends the leases of killed workers, which otherwise last two minutes. */
const endLeases = () => app("UPDATE destinations SET leased_until = NULL, next_at = now()");

/** Ends the wait of one destination after a failure. */
const retry = (id: string) => app("UPDATE destinations SET next_at = now() WHERE id = $1", [id]);

async function signedEndOf({ id }: Organization): Promise<number> {
  const sql = "SELECT signed_size::integer AS size FROM audit_seal_logs WHERE organization_id = $1";
  const [row] = await query<{ size: number }>(server, "audit", sql, [id]);
  return row?.size ?? 0;
}

/** The memory of a process in bytes. */
function rssOf(pid: number | undefined): number {
  const [, kilobytes = ""] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Batches begin where the one before ended, or are repetitions, which have the same end. */
function expectInOrder(sink: Sink): void {
  let end = 0;
  const ends = new Map<number, number>();
  for (const name of batchesOf(sink.arrivals)) {
    const [first = 0, last = 0] = name.split("-").map(Number);
    expect(first, `${name} begins behind ${end}`).toBeLessThanOrEqual(end);
    expect(ends.get(first) ?? last, `${name} is a repetition`).toBe(last);
    ends.set(first, last);
    end = Math.max(end, last + 1);
  }
}

test("workers that are killed while a receiver catches up after three days send every index, in order, and the bucket has each once", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  sink.act = 503;
  const made = await streamTo(owner, sink, { start: "oldest" });
  await grow(owner, 1);
  await until("it fails", async () => sink.arrivals.length > 0);
  await store(Array.from({ length: BACKLOG }, () => eventOf(owner)));
  await until(
    "the backlog is signed",
    async () => {
      await signNow(server);
      return (await signedEndOf(owner)) >= BACKLOG;
    },
    600_000,
  );
  await app("UPDATE destinations SET failing_since = now() - interval '3 days' WHERE id = $1", [made.id]);
  await until("it is paused", async () => {
    await retry(made.id);
    return (await stored(owner, made.id)).paused;
  });
  const resumed = await owner.admin.post<Destination>(`${PATH}/${made.id}/resume`);
  expect(resumed.data, resumed.text).toMatchObject({ state: "unused", next: { index: 0 }, sent_events: 0 });
  expect(resumed.data.lag?.entries).toBeGreaterThanOrEqual(BACKLOG);
  const prefix = "audit/kills";
  const bucket =
    swift &&
    (await owner.admin.post<DestinationWithSecret>(PATH, { name: "B", start: "oldest", ...atSwift(swift, prefix) }));
  expect(bucket?.status ?? 201, bucket?.text).toBe(201);
  let kills = 0;
  let held: (() => void) | undefined;
  const isDone = () => sentUpTo(sink) >= BACKLOG;
  for (; kills < KILLS && !isDone(); kills++) {
    const before = sink.arrivals.length;
    // The receiver has the batch, and the worker dies before it gets the response.
    sink.act = { after: new Promise<void>((resolve) => (held = resolve)) };
    await until("a batch has arrived", async () => {
      await retry(made.id);
      return sink.arrivals.length > before;
    });
    const killed = server.kill("worker");
    // After this batch one more is taken, by another worker, before the next kill.
    const taken = sink.taken.length + 2;
    sink.act = 503;
    sink.next.push(200);
    held?.();
    await endLeases();
    await until("another worker runs", () => ![undefined, killed].includes(server.pids().worker));
    // Longer than a lease: the killed worker may have got one at its last moment.
    const goesOn = async () => {
      await retry(made.id);
      return sink.taken.length >= taken || isDone();
    };
    await until("it goes on", goesOn, 300_000);
  }
  expect(kills).toBe(KILLS);
  sink.act = 200;
  await retry(made.id);
  const [last = ""] = await grow(owner, 1);
  const end = (await owner.admin.get<{ seal: { index: number } }>(`/audit-logs/${last}`)).data.seal.index + 1;
  await until("all are sent", () => sentUpTo(sink) >= end - 1, 600_000);
  expectInOrder(sink);
  const taken = new Set(eventsIn(takenBy(sink)).map(({ seal }) => seal.index));
  expect(Array.from({ length: end }, (_, index) => index).filter((index) => !taken.has(index))).toEqual([]);
  if (swift === null) return;
  const storage = swift;
  const whole = await until(
    "the bucket has all",
    async () => {
      const ranges = await rangesIn(storage, prefix);
      return ranges.some((range) => range.end >= end) && ranges;
    },
    600_000,
  );
  expect(whole.map(({ first }) => first)).toEqual([0, ...whole.slice(0, -1).map((range) => range.end)]);
  const { vkey } = (await owner.admin.get<{ vkey: string }>("/audit-logs/seal")).data;
  const verified = await verifyBucket(storage, prefix, { vkey, from: 0 });
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("Proved:")]);
});

test("a receiver that takes 25 seconds for each batch gets each once from two workers, which hold no more than that", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const details = { text: "x".repeat(3_000) };
  await store(Array.from({ length: 3_000 }, () => ({ ...eventOf(owner), details })));
  await until("they are signed", async () => {
    await signNow(server);
    return (await signedEndOf(owner)) >= 3_000;
  });
  const memory = () => rssOf(server.pids().worker);
  const before = memory();
  sink.act = () => ({ after: delay(SLOW_MS) });
  const made = await streamTo(owner, sink, { start: "oldest" });
  let most = 0;
  await until("three batches are taken", async () => {
    most = Math.max(most, memory());
    return sink.taken.length >= 3;
  });
  const names = batchesOf(sink.arrivals);
  expect(names).toEqual([...new Set(names)]);
  expectInOrder(sink);
  expect((await stored(owner, made.id)).failures).toBe(0);
  expect(most - before).toBeLessThan(256 * 2 ** 20);
});

test("events on hold are sent, and those around them that expired are named", async () => {
  const [who, sink] = [await newSession(server), await aSink()];
  const days = [45, 44, 43, 29];
  const rows = days.map((age, at) => ({
    ...aged(who.organizationId, 30, age * DAY_MS),
    method: at === 1 ? "DELETE" : "POST",
  }));
  await store(rows);
  const hold = await placeHoldAgo(server, who, 30 * DAY_MS, "method=DELETE");
  await signNow(server);
  await whenSigned(
    who.organizationId,
    rows.map(({ id }) => id),
  );
  // What is on hold is moved, and the days of the rest are dropped.
  const oldest = rows[0]?.id;
  await until("the expired events are deleted", async () => {
    await enforceRetention(new AbortController().signal);
    return (await query(server, "audit", "SELECT FROM audit_events WHERE id = $1", [oldest])).length === 0;
  });
  const made = await who.api.post<DestinationWithSecret>(PATH, {
    ...{ type: "https", name: "Sink", settings: { url: sink.url }, start: "oldest" },
  });
  expect(made.status, made.text).toBe(201);
  const [, kept, , young] = rows.map(({ id }) => id);
  await until("the young event is sent", () => eventsIn(takenBy(sink)).some(({ id }) => id === young));
  const lines = takenBy(sink);
  const sent = eventsIn(lines).filter(({ request }) => request?.path === "/aged");
  expect(sent.map(({ id }) => id)).toEqual([kept, young]);
  expect(omittedIn(lines).map(({ reason }) => reason)).toContain("expired");
  expect(omittedIn(lines).every(({ reason }) => reason === "expired")).toBe(true);
  await releaseHold(who, hold);
});

test("an epoch that begins in between is followed, and the folder of both is verified", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const ids = await grow(owner, 20);
  sink.act = 503;
  const made = await streamTo(owner, sink, { start: "oldest" });
  const prefix = "audit/epochs";
  const { vkey } = (await owner.admin.get<{ vkey: string }>("/audit-logs/seal")).data;
  if (swift !== null) {
    const bucket = await owner.admin.post(PATH, { name: "B", start: "oldest", ...atSwift(swift, prefix) });
    expect(bucket.status, bucket.text).toBe(201);
  }
  await until("it fails", () => sink.arrivals.length > 0);
  expect(await beginEpoch("A test")).toBe(2);
  const more = await grow(owner, 5);
  sink.act = 200;
  await until("all are sent", async () => {
    await retry(made.id);
    const taken = new Set(eventsIn(takenBy(sink)).map(({ id }) => id));
    return [...ids, ...more].every((id) => taken.has(id));
  });
  const seals = sink.taken.flatMap(({ body }) => eventsIn(linesOf(body)).map(({ seal }) => [seal.epoch, seal.index]));
  const first = seals.filter(([epoch]) => epoch === 1).map(([, index]) => index);
  const second = seals.filter(([epoch]) => epoch === 2).map(([, index]) => index);
  expect(first).toEqual(first.map((_, index) => index));
  expect(second).toEqual(second.map((_, index) => index));
  expect(seals.map(([epoch]) => epoch)).toEqual([...first.map(() => 1), ...second.map(() => 2)]);
  if (swift === null) return;
  const storage = swift;
  const verified = await until("the bucket has both epochs", async () => {
    const result = await verifyBucket(storage, prefix, { vkey, from: 0 });
    return result.out.includes("/1 and ") && result;
  });
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("Proved:")]);
});
