import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exportOf } from "@/e2e/audit/export-files";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { type StandInWitness, startWitness, type WitnessAnswer } from "@/e2e/support/stand-ins/witness";
import { until } from "@/e2e/support/until";
import type { RuleMatch } from "@/lib/alerts/rules/contract";
import { addWitness } from "@/lib/audit-logs/cosign/add-witness";
import { leaseWitnesses } from "@/lib/audit-logs/cosign/lease-witnesses";
import { removeWitness } from "@/lib/audit-logs/cosign/remove-witness";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { systemPrincipal } from "@/lib/http/principal";
import { verify } from "@/public/sealwatch-verify.mjs";

let server: Sealwatch;
let busy: SignedIn;
let quiet: SignedIn;
let one: StandInWitness;
let two: StandInWitness;

// A separate server: witnesses are those of the whole installation, and can stop its signing.
beforeAll(async () => {
  server = await startSealwatch({ MAX_JOB_INTERVAL_SECONDS: "1" });
  quiet = await newSession(server);
  busy = await newSession(server);
  await request(quiet);
  await request(busy);
  const { vkey } = await server.cli<{ vkey: string }>("audit", "vkey");
  one = await startWitness("one.example/witness", vkey);
  two = await startWitness("two.example/witness", vkey);
});
afterAll(async () => {
  one?.close();
  two?.close();
  await server?.destroy();
});

const audit = <Row extends object>(text: string, values: unknown[] = []) => query<Row>(server, "audit", text, values);
const state = ({ organizationId }: SignedIn) => getSealedLog(systemPrincipal(organizationId));
const witnessOf = async (of: SignedIn, name = "one") =>
  (await state(of)).witnesses.find((witness) => witness.name === name);
const bundleOf = async (of: SignedIn, range = {}) =>
  (await exportOf(server, of, { format: "ndjson", include: "seal", ...range })).read();

/** A request whose event is signed. */
async function request({ api, organizationId }: SignedIn): Promise<void> {
  const { requestId } = await api.get("/api-keys");
  await whenSigned(organizationId, [requestId]);
}

/** Asks every witness at once, rather than when it is due. */
const askNow = () => audit("UPDATE audit_seal_witnesses SET next_at = now(), asked_at = NULL");

/** Resolves when a witness has cosigned all that is signed of a log now. */
async function whenCosigned(of: SignedIn, name = "one"): Promise<void> {
  const { size } = await state(of);
  await until(`${name} has cosigned`, async () => {
    const witness = await witnessOf(of, name);
    return (witness?.size ?? 0) >= size;
  });
}

const add = (name: string, { vkey, url }: StandInWitness) => addWitness({ name, vkey, url });

/** Resolves when it is on record that asking the first witness failed. */
async function whenFailed(why: string): Promise<void> {
  await until(`the failure “${why}”`, async () => {
    const sql = "SELECT failure FROM audit_seal_witnesses WHERE name = 'one'";
    const [row] = await audit<{ failure: string | null }>(sql);
    return row?.failure?.includes(why);
  });
}

test("witnesses are added by command, and each addition is an event of the operator's log", async () => {
  const { vkey: log } = await state(busy);
  const refused: [Partial<StandInWitness>, string][] = [
    [{ vkey: one.vkey.replace(/\+[0-9a-f]{8}\+/, "+00112233+") }, "The id of the verifier key"],
    [{ vkey: log ?? "" }, "is the key of a log"],
    [{ url: "http://witness.example" }, "must begin with https"],
  ];
  for (const [wrong, why] of refused) await expect(add("one", { ...one, ...wrong })).rejects.toThrow(why);
  const command = (...args: string[]) => server.command(["audit", "witness", ...args]);
  expect(await command("add", "one", one.vkey)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unexpected arguments"),
  });
  expect(await command("add", "one", one.vkey, one.url)).toMatchObject({ code: 0 });
  expect(await command("add", "again", one.vkey, two.url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is the witness “one”"),
  });
  expect(await server.cli("audit", "witness", "list")).toMatchObject([
    { name: "one", vkey: one.vkey, url: one.url, refused: null, silent_since: null },
  ]);
  const events = await audit<{ details: object; error_code: string | null }>(
    "SELECT details, error_code FROM audit_events WHERE action = 'audit_log.add_witness' AND error_code IS NULL",
  );
  expect(events).toEqual([{ details: { name: "one", vkey: one.vkey }, error_code: null }]);
});

test("a busy log is cosigned with each round, and a quiet one is covered; bundles prove both", async () => {
  await request(busy);
  await whenCosigned(busy);
  await whenCosigned(quiet);
  for (const of of [busy, quiet]) {
    const { vkey } = await state(of);
    const bundle = await bundleOf(of);
    const known = await verify([bundle], { vkey: vkey ?? "", witnesses: [one.vkey] });
    expect([known.code, known.verdict, known.open, known.remarks]).toEqual([0, expect.any(String), [], []]);
    const header = JSON.parse(bundle.toString().split("\n")[0] ?? "").sealed_log;
    const cosigned = header.checkpoints.filter(({ heads }: { heads: { checkpoint: string } }) =>
      heads.checkpoint.includes("\n— one.example/witness "),
    );
    expect(cosigned.length).toBeGreaterThan(0);
  }
});

test("a process that started with its clock ahead does not ask in a loop", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  await leaseWitnesses(0).finally(() => vi.useRealTimers());
  await until("no witness is due", async () => {
    await audit("UPDATE audit_seal_witnesses SET next_at = now(), asked_at = now(), leased_until = NULL");
    return (await leaseWitnesses(1)).length === 0;
  });
});

test("the ends of a range are where a witness saw them", async () => {
  await request(busy);
  await whenCosigned(busy);
  const { vkey } = await state(busy);
  // Cosignatures have whole seconds.
  const next = async () => {
    const at = Date.now();
    await until("the next second", () => Date.now() > at + 2_000);
    return new Date();
  };
  const since = await next();
  await request(busy);
  const before = await next();
  await request(busy);
  await whenCosigned(busy);
  const range = { since: since.toISOString(), until: before.toISOString() };
  const bundle = await bundleOf(busy, range);
  const options = { vkey: vkey ?? "" };
  const seen = await verify([bundle], { ...options, witnesses: [one.vkey] });
  expect([seen.code, seen.open, seen.remarks]).toEqual([0, [], []]);
  const unseen = await verify([bundle], options);
  expect([unseen.code, unseen.remarks]).toEqual([0, ["The ends of the range rest on the operator's clock."]]);
});

test("a checkpoint whose response was lost is cosigned later", async () => {
  one.answer = "lose the answer";
  await request(busy);
  await whenFailed("did not answer");
  one.answer = "cosign";
  await askNow();
  await whenCosigned(busy);
});

test("a witness that hangs delays neither signing nor another witness", async () => {
  await add("two", two);
  await whenCosigned(busy, "two");
  one.answer = "hang";
  const { asked } = one;
  await request(busy);
  await until("one was asked", () => one.asked > asked);
  await request(busy);
  await whenCosigned(busy, "two");
  one.answer = "cosign";
  one.release();
  await whenFailed("did not answer");
  await askNow();
  await whenCosigned(busy);
});

const wrongAnswers: [WitnessAnswer, string][] = [
  ["another key", "answered without a cosignature of its key"],
  [403, "does not know the key that signs this log"],
];
const rarelyWrong: [WitnessAnswer, string][] = [
  ["cut", "did not answer"],
  ["rubbish", "answered wrongly"],
  ["too long", "did not answer: the response is longer"],
  ["relabelled", "The cosignature of one.example/witness"],
  ["another text", "The cosignature of one.example/witness"],
  ["another time", "cosigned with the time"],
  ["a size that never fits", "answered that it has cosigned"],
  [404, "does not know this log"],
  [429, "answered with HTTP status 429"],
];

test.each([...wrongAnswers, ...rarelyWrong])(
  "an answer that is “%s” keeps nothing, and signing goes on",
  async (answer, why) => {
    one.answer = answer;
    const kept = () => audit("SELECT epoch, index, last_line FROM audit_seal_cosignatures WHERE vkey = $1", [one.vkey]);
    const before = await kept();
    await request(busy);
    await askNow();
    await whenFailed(why);
    expect(await kept()).toEqual(before);
    await request(busy);
    await whenCosigned(busy, "two");
    expect(await state(busy)).toMatchObject({ refused: null });
    one.answer = "cosign";
    await askNow();
    await whenCosigned(busy);
  },
);

test.each<[WitnessAnswer, string]>([
  ["a larger size", "has cosigned 1000000 rounds"],
  [422, "has cosigned another history"],
])("a witness that answers %s stops signing until it is removed", async (answer, why) => {
  one.answer = answer;
  await askNow();
  const refused = await until("signing is refused", async () => (await state(busy)).refused);
  expect(refused).toContain(why);
  const { size } = await state(busy);
  const { requestId } = await busy.api.get("/api-keys");
  const { data } = await busy.api.post<{ matches: RuleMatch[] }>("/alert-rules/preview", {
    ...{ name: "Log", condition: { type: "log_integrity" }, steps: [{ severity: "critical" }] },
    resolve_after_minutes: 0,
  });
  expect(data.matches.map(({ causes }) => causes)).toEqual([["signing_refused"]]);
  expect(await state(busy)).toMatchObject({ size });
  await removeWitness("one");
  await whenSigned(busy.organizationId, [requestId]);
  expect(await state(busy)).toMatchObject({ refused: null, witnesses: [{ name: "two" }] });
  one.answer = "cosign";
  await add("one", one);
  await whenCosigned(busy);
});

test("a witness that has been silent for a day is alerted of, until it is back", async () => {
  two.answer = 429;
  const preview = async () => {
    const { data } = await busy.api.post<{ matches: RuleMatch[] }>("/alert-rules/preview", {
      ...{ name: "Log", condition: { type: "log_integrity" }, steps: [{ severity: "warning" }] },
      resolve_after_minutes: 0,
    });
    return data.matches;
  };
  expect(await preview()).toEqual([]);
  const silent = "UPDATE audit_seal_witnesses SET cosigned_at = now() - interval '25 hours' WHERE name = 'two'";
  await until("two is silent", async () => {
    await audit(silent);
    return (await witnessOf(busy, "two"))?.silent_since;
  });
  const [match] = await preview();
  expect(match).toMatchObject({ causes: ["witness_silent"] });
  expect(match?.detail).toMatch(/^the witness “two” has cosigned nothing since \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  two.answer = "cosign";
  await askNow();
  await until("two is back", async () => (await witnessOf(busy, "two"))?.silent_since === null);
  expect(await preview()).toEqual([]);
  await server.cli("audit", "witness", "remove", "two");
  expect((await state(busy)).witnesses).toMatchObject([{ name: "one" }]);
});
