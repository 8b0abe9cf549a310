import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { startTimeStampAuthority, type TimeStampAuthority } from "@/e2e/support/stand-ins/time-stamp-authority";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { sealedLog } from "@/lib/audit-logs/seal/get-contract";
import { stampCheckpoints } from "@/lib/audit-logs/stamp/stamp-checkpoints";
import { configure } from "@/lib/config";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";
import { DAY_MS } from "@/lib/time/units";
import { verify } from "@/public/sealwatch-verify.mjs";

const server = sharedServer();
const never = new AbortController().signal;
const run = promisify(execFile);
const audit = (text: string, values: unknown[] = []) => query(server, "audit", text, values);

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
let authority: TimeStampAuthority;
beforeAll(async () => {
  authority = await startTimeStampAuthority(hasOpenssl);
});
afterAll(() => authority?.close());
// Of the whole installation: other suites have none.
beforeEach(async () => {
  authority.answer = "stamp";
  configure({ AUDIT_TIMESTAMP_URL: authority.url });
  await clearOfBoundary(DAY_MS, 60_000);
  await audit("DELETE FROM audit_seal_stamps");
});

/** Stores events and signs them. */
async function grow({ id }: Organization, count: number): Promise<void> {
  const row = () => new AuditEventDraft({ organization_id: id, method: "GET", path: "/stamped" }).row;
  const rows = Array.from({ length: count }, row);
  await store(rows);
  await signNow(server);
  await whenSigned(
    id,
    rows.map((each) => each.id),
  );
}

const stateOf = async ({ read }: Organization) => (await read.get<z.output<typeof sealedLog>>("/audit-logs/seal")).data;

const stampsInAll = () => audit("SELECT token IS NOT NULL AS is_stamped FROM audit_seal_stamps");

/** Two workers, until the authority has answered: another signer may be at work. */
const whenStamped = () =>
  until("the checkpoint has a stamp", async () => {
    await Promise.all([stampCheckpoints(never), stampCheckpoints(never)]);
    return (await stampsInAll()).some(({ is_stamped }: { is_stamped?: boolean }) => is_stamped === true);
  });

async function bundleOf({ adminKey }: Organization): Promise<Buffer> {
  const headers = { authorization: `Bearer ${adminKey.secret}` };
  const answer = await fetch(`${server.url}/api/v1/audit-logs/export?format=ndjson&include=seal`, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test("one stamp a day covers all organizations, also those that were quiet, and is in their bundles", async () => {
  const quiet = await newOrganization(server);
  await grow(quiet, 3);
  const busy = await newOrganization(server);
  await grow(busy, 5);
  const asked = authority.asked;
  await whenStamped();
  expect([authority.asked - asked, await stampsInAll()]).toEqual([1, [{ is_stamped: true }]]);
  await grow(busy, 30);
  await Promise.all([stampCheckpoints(never), stampCheckpoints(never)]);
  expect(authority.asked - asked).toBe(1);

  for (const owner of [quiet, busy]) {
    const { stamps, vkey, size } = await stateOf(owner);
    const [stamp] = stamps;
    expect(stamps).toHaveLength(1);
    expect(Math.abs(Date.parse(stamp?.at ?? "") - Date.now())).toBeLessThan(DAY_MS / 24);
    expect(stamp?.authority).toBe(new URL(authority.url).host);
    expect(stamp?.size).toBeLessThanOrEqual(size);
    const listed = (await owner.read.get<{ size: number }[]>("/audit-logs/checkpoints")).data;
    expect(listed.map((one) => one.size)).toContain(stamp?.size);
    const result = await verify([await bundleOf(owner)], { vkey: vkey ?? "" });
    expect([result.code, result.remarks.join(" ")]).toEqual([
      0,
      expect.stringMatching(/^1 time stamp \(RFC 3161\), the last one of .* covers \d+ entr/),
    ]);
  }
  const { stamps } = await stateOf(busy);
  const { size } = await stateOf(busy);
  expect(stamps[0]?.size).toBeLessThan(size);
});

test.skipIf(!hasOpenssl)("openssl verifies a stamp with the text of the checkpoint", async () => {
  const owner = await newOrganization(server);
  await grow(owner, 2);
  await whenStamped();
  const { stamps } = await stateOf(owner);
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-stamp-"));
  const write = (name: string, bytes: string | Buffer) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const { text } = parseNote(stamps[0]?.checkpoint ?? "");
  expect(parseCheckpoint(text).origin).toMatch(/\/log\/1$/);
  const token = write("stamp.der", Buffer.from(stamps[0]?.token ?? "", "base64"));
  const verifyStamp = (data: string) =>
    run("openssl", [
      ...["ts", "-verify", "-token_in", "-in", token, "-data", write("text", data)],
      ...["-CAfile", authority.certificate ?? ""],
    ]);
  expect((await verifyStamp(text)).stdout + (await verifyStamp(text)).stderr).toContain("Verification: OK");
  await expect(verifyStamp(text.replace("\n", "x\n"))).rejects.toThrow();
  rmSync(folder, { recursive: true });
});

test("an authority that is unavailable or answers incorrectly is asked again later, and signing continues", async () => {
  const owner = await newOrganization(server);
  await grow(owner, 2);
  const leased = async () => {
    const [row] = await query<{ leased: boolean; token: Buffer | null }>(
      server,
      "audit",
      "SELECT leased_until > now() AS leased, token FROM audit_seal_stamps",
    );
    return row;
  };
  for (const answer of ["refuse", "other"] as const) {
    authority.answer = answer;
    const asked = authority.asked;
    await until("it was asked", async () => {
      await stampCheckpoints(never);
      return authority.asked > asked;
    });
    await stampCheckpoints(never);
    expect([authority.asked - asked, await leased()]).toEqual([1, { leased: true, token: null }]);
    await audit("UPDATE audit_seal_stamps SET leased_until = now()");
  }
  authority.answer = "hang";
  const stopping = new AbortController();
  const asked = authority.asked;
  const hanging = stampCheckpoints(stopping.signal);
  await until("it was asked", () => authority.asked > asked);
  await grow(owner, 3);
  stopping.abort();
  await hanging;
  expect((await stateOf(owner)).stamps).toEqual([]);

  // The next day, the stamp is over a newer checkpoint.
  authority.answer = "stamp";
  const before = await audit("UPDATE audit_seal_stamps SET created_at = created_at - interval '1 day' RETURNING index");
  await whenStamped();
  expect((await stateOf(owner)).stamps).toHaveLength(1);
  expect(await audit("SELECT FROM audit_seal_stamps WHERE index = $1", [before[0]?.index])).toEqual([]);
});

test("without an authority no stamp is requested", async () => {
  configure({ AUDIT_TIMESTAMP_URL: "" });
  const owner = await newOrganization(server);
  await grow(owner, 1);
  await stampCheckpoints(never);
  expect([await stampsInAll(), (await stateOf(owner)).stamps]).toEqual([[], []]);
});
