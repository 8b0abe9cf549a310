import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { dump, restore } from "@/e2e/support/servers/copied-cluster";
import { query } from "@/e2e/support/servers/databases";
import { Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import { verify } from "@/public/sealwatch-verify.mjs";

let first: Cluster;
let second: Cluster;
let server: Sealwatch;
let organization: Organization;

const urls = (cluster: Cluster) => ({ DATABASE_URL: cluster.url("app"), AUDIT_DATABASE_URL: cluster.url("audit") });

// A separate server: its databases are replaced by those of another cluster.
beforeAll(async () => {
  [first, second] = await Promise.all([Cluster.create(), Cluster.create()]);
  server = await startSealwatch(urls(first));
  organization = await newOrganization(server);
});
afterAll(async () => {
  await server?.destroy();
  await Promise.all([first?.destroy(), second?.destroy()]);
});

/** A request whose event is under a signed checkpoint. */
async function signedRequest(): Promise<string> {
  const { requestId } = await organization.admin.get("/api-keys");
  await until("the event is signed", async () => {
    const text = `SELECT FROM audit_seals s JOIN audit_seal_logs l USING (organization_id, epoch)
      WHERE organization_id = $1 AND $2 = ANY(s.ids) AND s.first_index + cardinality(s.ids) <= l.signed_size`;
    return (await query(server, "audit", text, [organization.id, requestId])).length > 0;
  });
  return requestId;
}

const state = async () => (await organization.read.get<SealedLog>("/audit-logs/seal")).data;

async function bundle(): Promise<Buffer> {
  const answer = await fetch(`${server.url}/api/v1/audit-logs/export?format=ndjson&include=seal`, {
    headers: { authorization: `Bearer ${organization.readKey.secret}` },
  });
  return Buffer.from(await answer.arrayBuffer());
}

test("a dump that is restored into another cluster goes on in a new epoch, without a false alarm", async () => {
  const kept = await signedRequest();
  const dumped = await dump(first);
  const lost = await signedRequest();
  const { vkey, checkpoint } = await state();
  const before = await bundle();

  await server.stop();
  await restore(second, dumped);
  server = new Sealwatch({ ...server.plain, env: { ...server.plain.env, ...urls(second) } });
  await server.start();
  expect((await organization.admin.get("/api-keys")).status).toBe(200);
  await until("signing is refused", async () => (await state()).refused !== null);
  expect(await server.cli("audit", "epoch", "new", "--reason", "A restore in a test")).toEqual({ epoch: 2 });
  await signedRequest();

  const now = await state();
  expect(now).toMatchObject({ epoch: 2, refused: null });
  const after = await bundle();
  expect([after.includes(kept), after.includes(lost), before.includes(lost)]).toEqual([false, false, true]);
  expect(await verify([before], { vkey: vkey ?? "" })).toMatchObject({ code: 0 });
  expect(await verify([after], { vkey: now.vkey ?? "" })).toMatchObject({ code: 0 });
  expect(await verify([after], { vkey: now.vkey ?? "", checkpoints: [checkpoint ?? ""] })).toMatchObject({ code: 1 });
  expect(await server.cli("audit", "verify", "--org", organization.id)).toEqual({ size: expect.any(Number) });
});
