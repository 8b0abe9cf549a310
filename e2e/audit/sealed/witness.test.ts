import { generateKeyPairSync, randomBytes } from "node:crypto";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { ConfigError, configure } from "@/lib/config";
import { arrivals } from "@/lib/http/arrival";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { formatCheckpoint } from "@/lib/sealed-log/checkpoint";
import { formatNote, parseNote, signNote, verifyNote } from "@/lib/sealed-log/note";
import { formatVkey, type VerifierKey, verifierKeyOf } from "@/lib/sealed-log/vkey";
import { addCheckpoint } from "@/lib/witness/add-checkpoint";
import { answerLog } from "@/lib/witness/answer-log";
import { type Witness, witness } from "@/lib/witness/identity";
import { TestTree } from "@/server/testing/sealed-log/test-tree";

const server = sharedServer();
await newOrganization(server);
const NOW = Date.parse("2026-11-24T03:20:00Z");

/** A log with a key and an origin of its own, of which this process is a witness. */
function newLog() {
  const origin = `${randomBytes(6).toString("hex")}.example/log/1`;
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = verifierKeyOf(origin, privateKey);
  const entries = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => Buffer.from(`${name} ${index}`));
  const tree = new TestTree(entries("entry", 20));
  const other = new TestTree([...entries("entry", 5), ...entries("forged", 15)]);
  const noteOf = (size: number, of = tree) => {
    const text = formatCheckpoint({ origin, ...of.head(size) });
    return formatNote({ text, signatures: [signNote(text, privateKey, key)] });
  };
  const request = (old: number, size: number, of = tree) => {
    const proof = old === 0 ? [] : of.consistency(old, size).map(encodeBase64);
    return `${[`old ${old}`, ...proof].join("\n")}\n\n${noteOf(size, of)}`;
  };
  return { origin, key, other, noteOf, request };
}

function witnessOf(...logs: VerifierKey[]): Witness {
  const WITNESS_KEY = randomBytes(32).toString("base64");
  configure({ WITNESS_KEY, WITNESS_LOGS: logs.map(formatVkey).join(", ") });
  const own = witness();
  if (own === null) throw new Error("there is no witness");
  return own;
}

test("a witness cosigns what continues the log, and nothing else", async () => {
  const log = newLog();
  const own = witnessOf(log.key);
  const ask = (body: string) => addCheckpoint(own, body, NOW);
  expect(await ask(log.request(3, 5))).toEqual({ status: 409, text: "0\n" });
  const first = await ask(log.request(0, 5));
  expect(first.status).toBe(200);
  const cosigned = parseNote(log.noteOf(5) + first.text);
  expect(verifyNote(cosigned, [log.key, own.verifier]).map(({ time }) => time)).toEqual([null, NOW / 1000]);

  expect(await ask(log.request(5, 12))).toMatchObject({ status: 200 });
  expect(await ask(log.request(5, 12))).toEqual({ status: 409, text: "12\n" });
  expect(await ask(log.request(12, 12))).toMatchObject({ status: 200 });
  // Another history of the same size, and of a larger one.
  expect(await ask(log.request(12, 12, log.other))).toMatchObject({ status: 422 });
  expect(await ask(log.request(12, 18, log.other))).toMatchObject({ status: 422 });
  expect(await ask(log.request(12, 18).replace(/\n[^\n]+=\n/, "\n"))).toMatchObject({ status: 422 });
  expect(await ask(`old 13\n\n${log.noteOf(12)}`)).toMatchObject({ status: 400 });
  expect(
    await query(server, "app", "SELECT size::integer AS size FROM witnessed_logs WHERE origin = $1", [log.origin]),
  ).toEqual([{ size: 12 }]);
});

test("of two histories asked for at the same time, one is cosigned", async () => {
  const log = newLog();
  const own = witnessOf(log.key);
  await addCheckpoint(own, log.request(0, 5), NOW);
  const asked = Array.from({ length: 10 }, (_, at) =>
    addCheckpoint(own, at % 2 === 0 ? log.request(5, 14) : log.request(5, 14, log.other), NOW),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
});

test("a witness knows its logs and their keys", async () => {
  const [log, stranger] = [newLog(), newLog()];
  const own = witnessOf(log.key);
  const impostor = witnessOf(verifierKeyOf(log.origin, generateKeyPairSync("ed25519").privateKey));
  expect(await addCheckpoint(own, stranger.request(0, 5))).toMatchObject({ status: 404 });
  expect(await addCheckpoint(impostor, log.request(0, 5))).toMatchObject({ status: 403 });
  const [text = "", signature = ""] = log.request(0, 5).split(/(?<==\n)\n/);
  expect(await addCheckpoint(own, `${text.replace("\n5\n", "\n6\n")}\n${signature}`)).toMatchObject({ status: 403 });
  expect(await addCheckpoint(own, "old 0\n\nno note")).toMatchObject({ status: 400 });
  expect(
    await query(server, "app", "SELECT FROM witnessed_logs WHERE origin = ANY($1)", [[log.origin, stranger.origin]]),
  ).toEqual([]);
});

test("a key whose id is wrong is refused with the setting's name", () => {
  const { key } = newLog();
  expect(() => witnessOf({ ...key, id: "00112233" })).toThrow(ConfigError);
  expect(() => witness()).toThrow(`The id of the verifier key is ${key.id}, not 00112233.`);
});

test("a witness limits the requests of each address, and the length of a request", async () => {
  const log = newLog();
  witnessOf(log.key);
  const ask = (peer: string, body: string) => {
    const post = new Request("http://witness.example/witness/add-checkpoint", { method: "POST", body });
    return arrivals.run(
      { method: "POST", target: "/witness/add-checkpoint", message: new IncomingMessage(new Socket()), peer },
      () => answerLog(post),
    );
  };
  const tooLong = await ask("192.0.2.1", "x".repeat(32 * 1024 + 1));
  expect([tooLong.status, await tooLong.text()]).toEqual([413, "The request is too long.\n"]);
  for (let sent = 1; sent < 60; sent++) expect((await ask("192.0.2.1", "old 0")).status).toBe(400);
  const limited = await ask("192.0.2.1", log.request(0, 5));
  expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("192.0.2.2", log.request(0, 5))).status).toBe(200);
});

test("an installation is not a witness unless it is set up as one", async () => {
  const answer = await fetch(`${server.url}/witness/add-checkpoint`, { method: "POST", body: newLog().request(0, 5) });
  expect([answer.status, await answer.text()]).toEqual([404, "This installation is not a witness.\n"]);
});
