import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { publicKeyOf, signEd25519 } from "@/lib/sealed-log/ed25519";
import { DAY_MS } from "@/lib/time/units";
import { ownCrypto, verify, verifyProof } from "@/public/sealwatch-verify.mjs";
import { damaged } from "@/server/testing/sealed-log/damaged";
import { forgedBundles } from "@/server/testing/sealed-log/forged-bundles";
import {
  type BundleCase,
  goodBundles,
  logOf,
  optionsOf,
  redactedLog,
  witnessedLog,
} from "@/server/testing/sealed-log/good-bundles";
import { isObject, START, TestLog, testKey, WITNESS_VKEY, without } from "@/server/testing/sealed-log/test-log";

const sentences = ({ verdict, open, remarks }: { verdict: string; open: string[]; remarks: string[] }) =>
  [verdict, ...open, ...remarks].join("\n");

async function expectVerdict({ text, options, code, says, index }: BundleCase): Promise<void> {
  const result = await verify([Buffer.from(text)], options);
  expect([result.code, sentences(result)]).toEqual([code, expect.stringContaining(says)]);
  if (index !== undefined) expect([result.index, result.verdict]).toEqual([index, result.verdict]);
}

describe("good bundles", () => {
  test.each(goodBundles())("$name", expectVerdict);
});

test("an event is late only if the log was seen without it, not if a larger log was cosigned", async () => {
  const { log } = witnessedLog();
  log.add({ time: START });
  log.publish();
  const witnesses = [WITNESS_VKEY];
  const judged = (installed: number) => {
    const heads = log.heads(20, START + DAY_MS, installed);
    const bundle = log.bundle({ checkpoints: [{ note: log.checkpoint(20), heads, stamps: [] }] });
    return verify([Buffer.from(bundle.text())], { ...optionsOf(log), witnesses });
  };
  expect(await judged(3)).toMatchObject({ code: 0, remarks: ["Late by more than two minutes: #20."] });
  expect(await judged(4)).toMatchObject({ code: 0, remarks: [] });
});

describe("forged bundles", () => {
  test.each(forgedBundles())("$name", expectVerdict);
});

test("the verdict does not depend on how the file is cut into chunks", async () => {
  for (const { text, options, code } of goodBundles().slice(0, 12)) {
    const bytes = Buffer.from(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(7 * at, 7 * at + 7));
    expect((await verify(chunks, options)).code).toBe(code);
    expect((await verify(new Blob([text]), options)).code).toBe(code);
  }
});

test("a bundle with any bit changed is refused, also if its trailer is made to fit", async () => {
  const { log, bundle } = redactedLog();
  for (const bytes of damaged(bundle, { seed: 20_261_123, count: 120 })) {
    const result = await verify([bytes], optionsOf(log));
    expect([result.code, bytes.toString("latin1")]).toEqual([1, expect.any(String)]);
  }
});

test("duplicates are found in any order, and ids of one millisecond are not duplicates", async () => {
  const times = fc.array(fc.nat(40), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(times, fc.nat(), async (offsets, pick) => {
      const log = new TestLog();
      const id = (index: number) =>
        `0199d0a2-70${(offsets[index] ?? 0).toString(16).padStart(2, "0")}-7000-8000-${index.toString(16).padStart(12, "0")}`;
      offsets.forEach((_, index) => void log.add({ id: id(index), request: null }));
      expect((await verify([Buffer.from(log.bundle().text())], optionsOf(log))).code).toBe(0);
      log.add({ id: id(pick % offsets.length), request: null });
      expect(await verify([Buffer.from(log.bundle().text())], optionsOf(log))).toMatchObject({
        code: 1,
        index: offsets.length,
      });
    }),
    { numRuns: 30, seed: 5 },
  );
});

describe("one event with its proof", () => {
  const log = logOf(11);
  const shown = (index: number, event = log.entry(index).event) =>
    JSON.stringify({ ...event, seal: { index, epoch: 1 } });
  const judged = (proof: string, event: string) => verifyProof(proof, event, optionsOf(log));

  test("is proved, in every form of the API", async () => {
    for (const index of [0, 4, 10]) {
      const { event } = log.entry(index);
      const listed = { ...event, request: without(event.request, ["body", "body_encoding"]) };
      for (const json of [shown(index), JSON.stringify(event), JSON.stringify({ data: event })]) {
        expect(await judged(log.proof(index), json)).toMatchObject({ code: 0, open: [], remarks: [] });
      }
      expect(await judged(log.proof(index), shown(index, listed))).toMatchObject({
        code: 0,
        remarks: ["The event is proved without its body."],
      });
    }
    const plain = new TestLog();
    plain.add({ request: null });
    expect(await verifyProof(plain.proof(0), JSON.stringify(plain.entry(0).event), optionsOf(plain))).toMatchObject({
      code: 0,
    });
  });

  test("is refused if anything of it was changed", async () => {
    const { event } = log.entry(4);
    const request = isObject(event.request) ? event.request : {};
    const proof = log.proof(4);
    const wrong: [string, string][] = [
      [proof, shown(5)],
      [proof, shown(4, { ...event, request: { ...request, path: "/" } })],
      [proof, shown(4, { ...event, request: { ...request, body: "" } })],
      [proof, shown(4, { ...event, request: without(request, ["body"]) })],
      [proof, shown(4, { ...event, request: "POST" })],
      [proof, JSON.stringify({ ...event, seal: { index: 4, epoch: 2 } })],
      [proof.replace("index 4", "index 5"), JSON.stringify(event)],
      [proof.replace("@v1", "@v2"), shown(4)],
      [log.proof(4, 9).replace("\n9\n", "\n8\n"), shown(4)],
      [proof.replace(/\n[^\n]+\n\n/, "\n\n"), shown(4)],
      [logOf(11, new TestLog(1, "0199d0a2-0000-7000-8000-00000000000b")).proof(4), shown(4)],
      [proof, "[]"],
    ];
    for (const [one, json] of wrong) expect([json, await judged(one, json)]).toMatchObject([json, { code: 1 }]);
  });

  test("of a redacted event is proved but for the redacted part", async () => {
    const { log: redacted } = redactedLog();
    const line = redacted.hiding(2, ["body"], { body: 8 });
    const seal = Buffer.from(JSON.stringify(line.seal)).toString("base64");
    const proof = redacted.proof(2).replace(/^extra .*$/m, `extra ${seal}`);
    const result = await verifyProof(proof, JSON.stringify(line), optionsOf(redacted));
    expect(result).toMatchObject({ code: 2, open: [expect.stringContaining("was redacted")] });
  });
});

describe("the code for browsers", () => {
  const bytes = fc.uint8Array({ maxLength: 600 });

  test("computes SHA-256 and SHA-512 like Node.js", () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const of = (name: string) => createHash(name).update(one).digest("hex");
        const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
        expect([hex(ownCrypto.sha256(one)), hex(ownCrypto.sha512(one))]).toEqual([of("sha256"), of("sha512")]);
        const joined = createHash("sha256").update(one).update(other).digest("hex");
        expect(hex(ownCrypto.hasher().update(one).update(other).digest())).toBe(joined);
      }),
      { numRuns: 60 },
    );
  });

  test("verifies Ed25519 like Node.js", () => {
    const key = testKey("browser");
    const message = Buffer.from("text");
    const [signature, publicKey] = [signEd25519(message, key), publicKeyOf(key)];
    expect(ownCrypto.ed25519(message, signature, publicKey)).toBe(true);
    for (const bit of [0, 255, 256, 400, 511]) {
      const other = Buffer.from(signature);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(ownCrypto.ed25519(message, other, publicKey)).toBe(false);
    }
    expect(ownCrypto.ed25519(Buffer.from("Text"), signature, publicKey)).toBe(false);
    expect(ownCrypto.ed25519(message, signature, publicKeyOf(testKey("other")))).toBe(false);
  });
});

describe("the command", () => {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-verify-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (args: string[], env = {}) =>
    new Promise<{ code: number | string | null | undefined; out: string }>((resolve) => {
      execFile(
        process.execPath,
        ["public/sealwatch-verify.mjs", ...args],
        { env: { ...process.env, ...env } },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : error.code, out: stdout + stderr });
        },
      );
    });

  test("verifies files and proofs, with its own cryptography too", async () => {
    const log = logOf(9);
    const [file, old] = [write("bundle", log.bundle().text()), write("old", log.checkpoint(4))];
    const args = [file, "--vkey", log.vkey(), "--checkpoint", old, "--retention-days", "30"];
    const [good, own, bad, other, proved] = await Promise.all([
      run(args),
      run(args, { SEALWATCH_VERIFY_OWN_CRYPTO: "1" }),
      run([write("forged", log.bundle().text().replace("things/5", "things/6")), "--vkey", log.vkey()]),
      run([file, "--vkey", log.vkey(), "--checkpoint", write("newer", logOf(12).checkpoint())]),
      run([
        "--proof",
        write("proof", log.proof(3)),
        "--vkey",
        log.vkey(),
        write("event", log.bundle().text().split("\n")[4] ?? ""),
      ]),
    ]);
    expect(good).toEqual({ code: 0, out: expect.stringContaining("Proved: 9 entries, #0 to #8,") });
    expect(own).toEqual(good);
    expect(bad).toEqual({ code: 1, out: expect.stringContaining("Wrong: #5 (") });
    expect(other).toEqual({ code: 2, out: expect.stringContaining("Open: Whether the log agrees") });
    expect(proved).toEqual({ code: 0, out: expect.stringMatching(/^Proved: the event \S+ is #3 of /) });
  });

  test("explains how it is used, and says what it cannot read", async () => {
    const [none, unknown, missing] = await Promise.all([
      run([]),
      run(["x", "--vkey", "y", "--surprise"]),
      run([join(folder, "missing"), "--vkey", logOf(1).vkey()]),
    ]);
    expect([none.code, unknown.code, missing.code]).toEqual([2, 2, 2]);
    expect(none.out).toContain("Usage: node sealwatch-verify.mjs FILE --vkey KEY");
    expect(missing.out).toContain("ENOENT");
  });
});
