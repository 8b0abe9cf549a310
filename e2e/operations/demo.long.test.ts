import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cloneInto } from "@/e2e/support/servers/clone";
import { alive, familyOf, killNow } from "@/e2e/support/servers/processes";
import { launch, prepareSealwatch, runStart } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { readPostmaster } from "@/server/embedded/postgres-process";

test("the demonstration of a fresh clone creates its data in its own folder, without any settings", async () => {
  const { folder, port, url } = await prepareSealwatch();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const clone = join(folder, "clone");
  cloneInto(clone);
  // Except for the port, because suites run in parallel.
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

test("the demonstration does not use an existing installation", async () => {
  const { env } = await prepareSealwatch();
  const data = env.DATA_DIR ?? "";
  onTestFinished(() => rmSync(join(data, ".."), { recursive: true, force: true }));
  mkdirSync(data);
  writeFileSync(join(data, "secrets.json"), "{}");
  const { code, stdout, stderr } = await runStart(["--demo"], env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`DATA_DIR ${data} already holds other data.`);
});
