import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, chromium } from "playwright/test";
import { afterAll, describe, expect, test } from "vitest";
import { findBrowser } from "@/e2e/support/browser";
import { hasPython, run } from "@/e2e/support/servers/program";
import { verifyConsistency, verifyInclusion } from "@/lib/sealed-log/proofs";
import { verify } from "@/public/sealwatch-verify.mjs";
import { damaged } from "@/server/testing/sealed-log/damaged";
import { folderCases } from "@/server/testing/sealed-log/folder-cases";
import { forgedBundles } from "@/server/testing/sealed-log/forged-bundles";
import { goodBundles, optionsOf, redactedLog } from "@/server/testing/sealed-log/good-bundles";
import { writeLargeBundle } from "@/server/testing/sealed-log/large-bundle";
import { TestTree } from "@/server/testing/sealed-log/test-tree";

const PYTHON = "server/testing/sealed-log/verify.py";
/** A page that loads the verifier. */
const PAGE = '<script type="module">import { verify } from "/sealwatch-verify.mjs"; window.verify = verify;</script>';
const cases = [...goodBundles(), ...forgedBundles()];
const folder = mkdtempSync(join(tmpdir(), "sealwatch-sealed-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string | Buffer) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("trees up to 300 leaves", () => {
  const tree = new TestTree(Array.from({ length: 300 }, (_, index) => Buffer.from(String(index))));

  test("every inclusion proof", () => {
    for (let size = 1; size <= tree.size; size++) {
      const { root } = tree.head(size);
      for (let index = 0; index < size; index++) {
        const isProved = verifyInclusion(tree.leaf(index), index, size, tree.inclusion(index, size), root);
        if (!isProved) expect([index, size, isProved]).toEqual([index, size, true]);
      }
    }
  });

  test("every consistency proof", () => {
    for (let size = 0; size <= tree.size; size++) {
      for (let from = 0; from <= size; from++) {
        const isProved = verifyConsistency(tree.head(from), tree.head(size), tree.consistency(from, size));
        if (!isProved) expect([from, size, isProved]).toEqual([from, size, true]);
      }
    }
  });
});

test("a bundle with any of 4,000 bits changed is refused", async () => {
  const { log, bundle } = redactedLog();
  for (const bytes of damaged(bundle, { seed: 1, count: 4_000 })) {
    const { code } = await verify([bytes], optionsOf(log));
    if (code !== 1) expect([code, bytes.toString("latin1")]).toEqual([1, ""]);
  }
});

describe.skipIf(!hasPython())("the second verifier, in Python, comes to the same verdicts", () => {
  /** The verdict of each, from one process: a sentence. */
  async function judge(asked: readonly { path: string; options: object }[]): Promise<string[]> {
    const args = asked.flatMap(({ path, options }, n) => [path, write(`options-${n}`, JSON.stringify(options))]);
    const { out } = await run("python3", [PYTHON, ...args]);
    return out.trimEnd().split("\n");
  }
  const codeOf = (verdict = "") =>
    ["Proved.", "Wrong: ", "Not proved: "].findIndex((start) => verdict.startsWith(start));
  const judgeTexts = (texts: readonly (string | Buffer)[], optionsAt: (at: number) => object) =>
    judge(texts.map((text, n) => ({ path: write(`bundle-${n}`, text), options: optionsAt(n) })));

  test("of bundles", async () => {
    const verdicts = await judgeTexts(
      cases.map(({ text }) => text),
      (at) => cases[at]?.options ?? {},
    );
    expect(verdicts.map((verdict, at) => [cases[at]?.name, codeOf(verdict)])).toEqual(
      cases.map(({ name, code }) => [name, code]),
    );
  });

  test("of folders", async () => {
    const folders = folderCases().map(({ files, ...rest }) => {
      const path = mkdtempSync(join(folder, "bucket-"));
      for (const [name, bytes] of files) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), bytes);
      }
      return { path, ...rest };
    });
    const verdicts = await judge(folders);
    expect(verdicts.map((verdict, at) => [folders[at]?.name, codeOf(verdict)])).toEqual(
      folders.map(({ name, code }) => [name, code]),
    );
  });

  test("of damaged bundles", async () => {
    const { log, bundle } = redactedLog();
    const verdicts = await judgeTexts(damaged(bundle, { seed: 2, count: 60 }), () => optionsOf(log));
    expect(verdicts).toEqual(Array(60).fill(expect.stringMatching(/^Wrong: /)));
  });
});

describe("in Chromium", () => {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  test.each([
    { scheme: "http", isSecure: false, subtle: "undefined" },
    { scheme: "https", isSecure: true, subtle: "object" },
  ])(
    "the verdicts on $scheme are those of Node.js, in a page and in a worker",
    async ({ scheme, isSecure, subtle }) => {
      browser ??= await chromium.launch(await findBrowser());
      const context = await browser.newContext();
      await context.route(`${scheme}://sealwatch.test/**`, (route) => {
        const isPage = new URL(route.request().url()).pathname === "/";
        if (isPage) return route.fulfill({ contentType: "text/html", body: PAGE });
        return route.fulfill({ contentType: "text/javascript", body: readFileSync("public/sealwatch-verify.mjs") });
      });
      const page = await context.newPage();
      await page.goto(`${scheme}://sealwatch.test/`);
      await page.waitForFunction(() => "verify" in window);
      expect(await page.evaluate(() => [isSecureContext, typeof crypto.subtle])).toEqual([isSecure, subtle]);
      const inBrowser = await page.evaluate(async (all) => {
        const worker = new Worker("/sealwatch-verify.mjs", { type: "module" });
        const verifyInWorker = (file: Blob, options: object) =>
          new Promise((resolve, reject) => {
            worker.onerror = () => reject(new Error("the worker failed"));
            worker.onmessage = ({ data }) => "bytes" in data || resolve(data.result ?? data);
            worker.postMessage({ file, options });
          });
        const results: unknown[] = [];
        for (const { text, options } of all) {
          const file = new Blob([text]);
          results.push([await Reflect.get(window, "verify")(file, options), await verifyInWorker(file, options)]);
        }
        return results;
      }, cases);
      const inNode = await Promise.all(cases.map(({ text, options }) => verify([Buffer.from(text)], options)));
      cases.forEach(({ name }, index) => {
        expect([name, inBrowser[index]]).toEqual([name, [inNode[index], inNode[index]]]);
      });
      await context.close();
    },
  );
});

test("a large bundle is verified in little memory", async () => {
  const path = join(folder, "large");
  const vkey = await writeLargeBundle(path, 100_000);
  const result = await run(process.execPath, [
    "--max-old-space-size=32",
    "public/sealwatch-verify.mjs",
    path,
    "--vkey",
    vkey,
  ]);
  expect(result).toEqual({ code: 0, out: expect.stringContaining("Proved: 100000 entries, #0 to #99999,") });
});
