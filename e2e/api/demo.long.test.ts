import { constants, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { alive, familyOf, killNow } from "@/e2e/support/processes";
import { launch, prepareSealwatch, runStart } from "@/e2e/support/sealwatch";
import { until } from "@/e2e/support/until";
import { readPostmaster } from "@/server/embedded/postgres-process";

/** What a fresh clone lacks. Packages are found by a link, as if `npm ci` had put them there. */
const ABSENT = /^(\.git|\.env|\.data.*|node_modules|test-results|playwright-report|\.screenshots)$/;

/** A copy of this checkout, with its build, in which nothing was ever started. */
function cloneInto(folder: string): void {
  for (const name of readdirSync(".").filter((entry) => !ABSENT.test(entry))) {
    cpSync(name, join(folder, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
}

test("the demonstration of a fresh clone, without a setting, tells its story in a folder of its own", async () => {
  const { folder, port, url } = await prepareSealwatch();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const clone = join(folder, "clone");
  mkdirSync(clone, { mode: 0o711 });
  cloneInto(clone);
  // The port apart, because suites run beside each other.
  const prepared = { folder, port, url, env: { PORT: String(port) } };
  const pid = await launch(prepared, [join(clone, "server/start.mjs"), "--demo"]);
  const data = join(clone, ".data-demo");
  const family = [
    ...familyOf(pid).map((process) => process.pid),
    readPostmaster(join(data, "postgres/data"))?.pid ?? 0,
  ];
  onTestFinished(() => {
    for (const each of alive(family)) killNow(each);
  });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(existsSync(join(data, "demo.json"))).toBe(true);
  expect(existsSync(join(clone, ".data"))).toBe(false);
  process.kill(pid, "SIGTERM");
  await until("the demonstration has stopped", () => alive(family).length === 0);
});

test("the demonstration leaves an installation alone", async () => {
  const { env } = await prepareSealwatch();
  const data = env.DATA_DIR ?? "";
  onTestFinished(() => rmSync(join(data, ".."), { recursive: true, force: true }));
  mkdirSync(data);
  writeFileSync(join(data, "secrets.json"), "{}");
  const { code, stdout, stderr } = await runStart(["--demo"], env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`DATA_DIR ${data} holds what is no demonstration.`);
});
