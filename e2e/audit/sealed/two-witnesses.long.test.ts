import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { query } from "@/e2e/support/servers/databases";
import { copyPreparedData } from "@/e2e/support/servers/prepared-data";
import { prepareSealwatch, type Sealwatch, startPrepared } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import { privateKeyOf } from "@/lib/sealed-log/ed25519";
import { installationOrigin } from "@/lib/sealed-log/origin";
import { COSIGNATURE, formatVkey, verifierKeyOf } from "@/lib/sealed-log/vkey";
import { verify } from "@/public/sealwatch-verify.mjs";

/** One of two installations that witness each other, with an organization. */
interface Side {
  server: Sealwatch;
  prepared: Awaited<ReturnType<typeof prepareSealwatch>>;
  /** Of its log in an epoch, and of its witness. */
  log: (epoch: number) => string;
  witness: string;
  organizationId: string;
  secret: string;
}

let a: Side;
let b: Side;

// With keys in the environment, each can be set up to know the other before it has started.
beforeAll(async () => {
  const [first, second] = [await prepareSide(), await prepareSide()];
  a = await start(first, second.log(1));
  b = await start(second, first.log(1));
});
afterAll(() => Promise.all([a, b].map((side) => side?.server.destroy())));

type PreparedSide = Pick<Side, "prepared" | "log" | "witness">;

async function prepareSide(): Promise<PreparedSide> {
  const [sealKey, witnessKey] = [randomBytes(32), randomBytes(32)];
  const prepared = await prepareSealwatch({
    AUDIT_SEAL_KEY: sealKey.toString("base64"),
    WITNESS_KEY: witnessKey.toString("base64"),
  });
  const { host } = new URL(prepared.url);
  return {
    prepared,
    log: (epoch) => formatVkey(verifierKeyOf(installationOrigin(host, epoch), privateKeyOf(sealKey))),
    witness: formatVkey(verifierKeyOf(`${host}/witness`, privateKeyOf(witnessKey), COSIGNATURE)),
  };
}

async function start(side: PreparedSide, logs: string): Promise<Side> {
  const { prepared } = side;
  prepared.env.WITNESS_LOGS = logs;
  copyPreparedData(prepared.env.DATA_DIR ?? "");
  const server = await startPrepared(prepared);
  const { id } = await server.cli<{ id: string }>("org", "create", "--name", "Witnessed");
  const { secret } = await server.cli<{ secret: string }>("key", "create", "--org", id, "--name", "reader");
  return { ...side, server, organizationId: id, secret };
}

const get = ({ server, secret }: Side, path: string) =>
  fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${secret}` } });
const state = async (side: Side): Promise<SealedLog> => (await (await get(side, "/audit-logs/seal")).json()).data;
const audit = <Row extends object>({ server }: Side, text: string, values: unknown[] = []) =>
  query<Row>(server, "audit", text, values);

/** Sends a request. Returns the id of its event. */
async function request(side: Side): Promise<string> {
  const answer = await get(side, "/api-keys");
  expect(answer.status).toBe(200);
  return answer.headers.get("x-request-id") ?? "";
}

const whenSigned = (side: Side, id: string) =>
  until("the event is signed", async () => {
    const rows = await audit(
      side,
      `SELECT FROM audit_seals JOIN audit_seal_logs l USING (organization_id, epoch)
       WHERE organization_id = $1 AND $2 = ANY(ids) AND first_index + array_position(ids, $2) <= l.signed_size`,
      [side.organizationId, id],
    );
    return rows.length > 0;
  });

/** The rounds of this installation that its witness has cosigned, in an epoch. */
const cosigned = async (side: Side, epoch = 1) => {
  const [row] = await audit<{ size: number | null }>(
    side,
    "SELECT max(index + 1)::float8 AS size FROM audit_seal_cosignatures WHERE epoch = $1",
    [epoch],
  );
  return row?.size ?? 0;
};

/** Resolves when the newest round, as of now, is cosigned. Returns the number of rounds. */
async function whenCosigned(side: Side, epoch = 1): Promise<number> {
  const rounds = "SELECT size::float8 AS size FROM audit_seal_installation WHERE epoch = $1";
  const [{ size } = { size: Number.NaN }] = await audit<{ size: number }>(side, rounds, [epoch]);
  return until("the newest round is cosigned", async () => {
    const last = await cosigned(side, epoch);
    return last >= size && last;
  });
}

const add = (side: Side, other: Side) =>
  side.server.cli("audit", "witness", "add", "partner", other.witness, `${other.server.url}/witness`);

const bundleOf = async (side: Side) =>
  Buffer.from(await (await get(side, "/audit-logs/export?format=ndjson&include=seal")).arrayBuffer());

/** With the owners of the files: PostgreSQL has an account of its own. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to]);

test("two installations witness each other; one that is set back signs nothing until a new epoch", async () => {
  for (const [side, other] of [
    [a, b],
    [b, a],
  ] as const) {
    await whenSigned(side, await request(side));
    expect(await side.server.cli("audit", "vkey")).toEqual({ vkey: side.log(1) });
    expect(await side.server.cli("witness", "key")).toEqual({ vkey: side.witness });
    await add(side, other);
  }
  for (const [side, other] of [
    [a, b],
    [b, a],
  ] as const) {
    await whenSigned(side, await request(side));
    await whenCosigned(side);
    const { vkey, size } = await state(side);
    const bundle = await bundleOf(side);
    const header = bundle.toString().split("\n")[0] ?? "";
    expect(header).toContain(`— ${new URL(other.prepared.url).host}/witness `);
    expect(await verify([bundle], { vkey: vkey ?? "", witnesses: [other.witness] })).toMatchObject({
      code: 0,
      open: [],
    });
    const [witness] = (await state(side)).witnesses;
    expect(witness).toMatchObject({ name: "partner", vkey: other.witness, silent_since: null });
    expect(witness?.size).toBeGreaterThanOrEqual(size - 1);
  }

  // Everything of A is set back: both databases and the file beside the key.
  const data = a.server.dataDir;
  await a.server.stop();
  copy(data, `${data}.backup`);
  await a.server.start();
  const seenBefore = await cosigned(a);
  const lost = await request(a);
  await whenSigned(a, lost);
  await whenCosigned(a);
  for (let more = 0; more < 4; more++) await whenSigned(a, await request(a));
  const seen = await whenCosigned(a);
  expect(seen).toBeGreaterThan(seenBefore);
  const { vkey: old, checkpoint } = await state(a);
  const before = await bundleOf(a);
  await a.server.stop();
  rmSync(data, { recursive: true });
  copy(`${data}.backup`, data);
  await a.server.start();

  await until("signing is refused", async () => {
    const [row] = await audit<{ refused: string | null }>(a, "SELECT refused FROM audit_seal_installation");
    return row?.refused?.includes("The witness “partner” has cosigned");
  });
  expect((await state(a)).refused).toContain("audit epoch new");
  expect(await cosigned(a)).toBeLessThanOrEqual(seenBefore);
  const [at] = await audit<{ size: number }>(a, "SELECT size::float8 AS size FROM audit_seal_installation");
  const unsigned = await request(a);
  await until("the event is sealed, though not signed", async () => {
    return (await audit(a, "SELECT FROM audit_seals WHERE $1 = ANY(ids)", [unsigned])).length > 0;
  });
  // B has its own log, which goes on being signed and cosigned by A.
  await whenSigned(b, await request(b));
  await whenCosigned(b);
  expect(await audit(a, "SELECT size::float8 AS size FROM audit_seal_installation")).toEqual([at]);

  await a.server.cli("audit", "epoch", "new", "--reason", "A restore in a test");
  await whenSigned(a, unsigned);
  expect(await a.server.cli("audit", "vkey")).toEqual({ vkey: a.log(2) });
  await until("B does not know the new log", async () => {
    const [row] = await audit<{ failure: string | null }>(a, "SELECT failure FROM audit_seal_witnesses");
    return row?.failure?.startsWith("does not know this log");
  });
  b.prepared.env.WITNESS_LOGS = [a.log(1), a.log(2)].join(",");
  await b.server.stop();
  await b.server.start();
  await audit(a, "UPDATE audit_seal_witnesses SET next_at = now()");
  await whenCosigned(a, 2);
  const now = await state(a);
  expect(now).toMatchObject({ epoch: 2, refused: null });
  const bundle = await bundleOf(a);
  const witnessed = { witnesses: [b.witness] };
  const proved = await verify([bundle], { vkey: now.vkey ?? "", ...witnessed });
  expect([proved.code, proved.remarks.join()]).toEqual([0, expect.not.stringContaining("clock")]);
  expect(await verify([before], { vkey: old ?? "", ...witnessed })).toMatchObject({ code: 0 });
  // Who kept a checkpoint of what was lost sees it.
  expect(await verify([bundle], { vkey: now.vkey ?? "", checkpoints: [checkpoint ?? ""] })).toMatchObject({ code: 1 });
});
