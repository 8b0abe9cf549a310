import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { cloneInto } from "@/e2e/support/servers/clone";
import { alive, familyOf, killNow } from "@/e2e/support/servers/processes";
import { launch, prepareSealwatch, runStart } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { readPostmaster } from "@/server/embedded/postgres-process";

test("the demonstration of a fresh clone has its own data, without any settings, and answers why terraform was refused", async () => {
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

  const created = ["key", "create", "--org", "northwind-labs", "--name", "Question", "--json"];
  const { stdout } = await runStart(["--cli", ...created], { DATA_DIR: data });
  const { secret } = JSON.parse(stdout) as ApiKeyWithSecret;
  const api = withKey({ url }, secret);
  const { data: changes } = await api.get<AuditEvent[]>("/audit-logs?action=api_key.update");
  expect(changes).toMatchObject([
    {
      authentication: { user: { name: "Katherine Johnson" } },
      details: {
        resource_name: "terraform",
        changes: [{ field: "ip_whitelist", from: ["198.51.100.0/24", "203.0.113.0/24"], to: ["198.51.100.0/24"] }],
      },
    },
  ]);
  const { data: refused } = await api.get<AuditEvent[]>("/audit-logs?flag=ip_not_allowed");
  expect(refused.map(({ client }) => client?.ip_address)).toEqual(Array(4).fill("203.0.113.9"));
  expect(refused.every(({ occurred_at }) => occurred_at > (changes[0]?.occurred_at ?? ""))).toBe(true);

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
