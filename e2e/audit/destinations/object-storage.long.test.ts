import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atSwift, rangesIn, verifyBucket } from "@/e2e/audit/destinations/bucket";
import { get, grow, PATH } from "@/e2e/audit/destinations/streaming";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { hasSwift, type SwiftS3, startSwiftS3 } from "@/e2e/support/servers/swift/swift-s3";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { expireSeals } from "@/lib/audit-logs/seal/expire-seals";
import type { DestinationTest, DestinationWithSecret } from "@/lib/destinations/contract";
import { newId } from "@/lib/ids";

const server = sharedServer();

// Swift checks signatures and digests of bodies. It has no object lock, which `kinds/s3/s3.test.ts` records.
describe.skipIf(!hasSwift)("object storage", () => {
  let swift: SwiftS3;
  beforeAll(async () => {
    swift = await startSwiftS3(await closedPort());
  });
  afterAll(() => swift?.stop());

  async function streamTo(owner: Organization, more: object = {}) {
    const prefix = `audit/${newId()}`;
    const body = { name: newId(), start: "oldest", ...atSwift(swift, prefix), ...more };
    const made = await owner.admin.post<DestinationWithSecret>(PATH, body);
    expect(made.status, made.text).toBe(201);
    return { made: made.data, prefix };
  }

  const vkeyOf = async ({ admin }: Organization) => (await admin.get<{ vkey: string }>("/audit-logs/seal")).data.vkey;
  const whenUpTo = (prefix: string, index: number) =>
    until(`the bucket has #${index}`, async () => (await rangesIn(swift, prefix)).some(({ end }) => end > index));
  const indexOf = async ({ admin }: Organization, id: string) =>
    (await admin.get<{ seal: { index: number } }>(`/audit-logs/${id}`)).data.seal.index;

  /** Lets all rows of seals but the last one expire, as if they and what was signed were older than their retention. */
  async function expireAllButTheLast({ id }: Organization): Promise<void> {
    const audit = (text: string) => query<{ count: number }>(server, "audit", text, [id]);
    const rows =
      "organization_id = $1 AND first_index < (SELECT max(first_index) FROM audit_seals WHERE organization_id = $1)";
    await audit(`UPDATE audit_seals SET filed_at = now() - interval '60 days' WHERE ${rows}`);
    await audit("UPDATE audit_seal_checkpoints SET signed_at = now() - interval '50 days' WHERE organization_id = $1");
    await until("the seals have expired", async () => {
      await expireSeals(new AbortController().signal);
      const [left] = await audit("SELECT count(*)::integer AS count FROM audit_seals WHERE organization_id = $1");
      return left?.count === 1;
    });
  }

  test("a test shows what the storage answers, and leaves nothing that a reader takes for events", async () => {
    const owner = await newOrganization(server);
    await grow(owner, 1);
    const body = { name: "Bucket", ...atSwift(swift, "audit/tested") };
    const tried = async (settings: object, secrets: object) =>
      (
        await owner.admin.post<DestinationTest>(`${PATH}/test`, {
          ...body,
          settings: { ...body.settings, ...settings },
          secrets: { ...body.secrets, ...secrets },
        })
      ).data;
    expect((await tried({}, { secret_access_key: "wrong" })).error).toBe("HTTP status 403: SignatureDoesNotMatch");
    expect((await tried({ bucket: "another" }, {})).error).toBe("HTTP status 404: NoSuchBucket");
    expect((await tried({ region: "us-east-1" }, {})).error).toContain("AuthorizationHeaderMalformed");
    const shown = await tried({}, {});
    expect(shown).toMatchObject({ ok: true, error: null });
    expect(shown.exchanges[0]?.request.body).toContain('{"sealed_segment":{"version":1,');
    expect(JSON.stringify(shown)).not.toContain(body.secrets.secret_access_key);
    expect((await swift.list()).filter((name) => name.startsWith("audit/tested/"))).toEqual([
      "audit/tested/sealwatch-test",
    ]);
  });

  test("has every index once, in objects that are verified, and whose names are in order", async () => {
    const owner = await newOrganization(server);
    const ids = await grow(owner, 2_300, "/bucket=1+2/é");
    const { made, prefix } = await streamTo(owner);
    await whenUpTo(prefix, await indexOf(owner, ids.at(-1) ?? ""));
    const [more = ""] = await grow(owner, 1);
    const last = await indexOf(owner, more);
    await whenUpTo(prefix, last);
    const ranges = await rangesIn(swift, prefix);
    expect(ranges.map(({ first }) => first)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)]);
    expect(ranges.length).toBeGreaterThan(3);
    const vkey = await vkeyOf(owner);
    const verified = await verifyBucket(swift, prefix, { vkey, from: 0 });
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringMatching(/^Proved: \d+ segments with 2\d{3} entries/),
    ]);
    expect(verified.out).not.toContain("more than one");
    expect(await get(owner, made)).toMatchObject({ state: "working", last_error: null });
    const stranger = await newOrganization(server);
    await grow(stranger, 1);
    const other = await verifyBucket(swift, prefix, { vkey: await vkeyOf(stranger) });
    expect([other.code, other.out]).toEqual([1, expect.stringContaining("is of the log")]);
  });

  test("says what filters left out, and what retention deleted before it was sent", async () => {
    const owner = await newOrganization(server);
    await grow(owner, 300, "/unwanted");
    const [wanted = ""] = await grow(owner, 1, "/wanted");
    const filtered = await streamTo(owner, { query: { path: "/wanted" } });
    await whenUpTo(filtered.prefix, await indexOf(owner, wanted));
    const vkey = await vkeyOf(owner);
    const plain = await verifyBucket(swift, filtered.prefix, { vkey });
    expect([plain.code, plain.out]).toEqual([2, expect.stringContaining("left out by the filters")]);
    expect((await verifyBucket(swift, filtered.prefix, { vkey, filtered: true })).code).toBe(0);
    const whole = await streamTo(owner);
    await whenUpTo(whole.prefix, await indexOf(owner, wanted));
    await owner.admin.post(`${PATH}/${whole.made.id}/pause`);
    await grow(owner, 100);
    await expireAllButTheLast(owner);
    await owner.admin.post(`${PATH}/${whole.made.id}/resume`);
    const [last = ""] = await grow(owner, 1);
    await whenUpTo(whole.prefix, await indexOf(owner, last));
    const gap = await verifyBucket(swift, whole.prefix, { vkey, from: 0 });
    expect([gap.code, gap.out]).toEqual([2, expect.stringContaining("had expired before they were sent")]);
    expect((await get(owner, whole.made)).expired_entries).toBeGreaterThan(0);
  });

  test("of two destinations none may write over the other", async () => {
    const owner = await newOrganization(server);
    const { made, prefix } = await streamTo(owner);
    const body = { name: newId(), ...atSwift(swift, prefix) };
    const refused = await owner.admin.post(PATH, body);
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining(made.name)]);
    const other = await streamTo(owner);
    const changed = await owner.admin.put(`${PATH}/${other.made.id}`, { settings: { prefix } });
    expect(changed.status).toBe(409);
    expect((await owner.admin.put(`${PATH}/${made.id}`, { settings: { interval_seconds: 2 } })).status).toBe(200);
    expect((await owner.admin.post(PATH, { ...body, settings: { ...body.settings, prefix: null } })).status).toBe(201);
  });
});
