import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { msSinceLost, noteLost } from "@/lib/db/outage-log";
import { type Purpose, purposes } from "@/lib/db/purposes";

const files = ["app", "components", "lib", "server"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
);
const sources = files.filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^lib\/db\//.test(name));

test("only lib/db opens and checks out database connections", () => {
  expect(sources.length).toBeGreaterThan(300);
  const offenders = sources.filter((name) =>
    /\b(pool|auditPool)\([^)]*\)\s*\.connect\(|\bclient\.connect\(|new (pg\.)?(Pool|Client)\(/i.test(
      readFileSync(name, "utf8"),
    ),
  );
  expect(offenders).toEqual([]);
});

test("the pools of one process share DATABASE_POOL_SIZE", () => {
  const sum = (names: Purpose[]) => names.reduce((total, name) => total + purposes[name].share, 0);
  expect(sum(["request", "write", "report", "stream"])).toBeCloseTo(1);
  expect(sum(["job", "write", "report"])).toBeCloseTo(1);
});

test("every purpose has limits for statements and lock waits", () => {
  for (const { statementMs, lockMs, acquireMs } of Object.values(purposes)) {
    expect(Math.min(statementMs, lockMs, acquireMs)).toBeGreaterThan(0);
  }
});

test("the time since a connection was lost begins with the process, and anew with each that is lost", () => {
  // Other tests of this process may have noted losses of the real ones.
  const dependency = "a dependency of this test" as Parameters<typeof noteLost>[0];
  const before = performance.now();
  expect(msSinceLost(dependency)).toBeGreaterThanOrEqual(before);
  noteLost(dependency);
  expect(msSinceLost(dependency)).toBeLessThanOrEqual(performance.now() - before);
});
