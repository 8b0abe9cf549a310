import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isRunning, launch, parsePostmaster } from "@/server/embedded/postgres-process";

const FILE = "4711\n/data\n1795242000\n41234\n\n127.0.0.1\n  1234567       229\nready   \n";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "sealwatch-process-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("postmaster.pid contains process, port, shared memory and state", () => {
  expect(parsePostmaster(FILE)).toEqual({
    ...{ pid: 4711, port: 41234, socketFolder: "", sharedMemoryId: 229, starting: false, ready: true },
  });
  expect(parsePostmaster(FILE.replace("ready   ", "starting"))).toMatchObject({ starting: true, ready: false });
  expect(parsePostmaster(FILE.replace("ready   ", "stopping"))).toMatchObject({ starting: false, ready: false });
  expect(parsePostmaster(FILE.replace("\n\n", "\n/data of\n"))?.socketFolder).toBe("/data of");
});

test("an incomplete postmaster.pid is ignored", () => {
  expect(parsePostmaster("4711\n/data\n")).toBeUndefined();
  expect(parsePostmaster("")).toBeUndefined();
});

test("another process with the id of a former PostgreSQL is not mistaken for it", () => {
  expect(isRunning({ pid: process.pid }, "/somewhere/else/data")).toBe(false);
});

test("a PostgreSQL whose folder is reached by a link is found", () => {
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "postgres"));
  const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 60_000)", join(folder, "elsewhere", "data")]);
  const postmaster = { pid: child.pid ?? 0 };
  try {
    expect(isRunning(postmaster, join(folder, "postgres", "data"))).toBe(true);
    expect(isRunning(postmaster, join(folder, "other", "data"))).toBe(false);
  } finally {
    child.kill("SIGKILL");
  }
});

/** Starts no PostgreSQL: there is no program. */
function attempt(dataDir: string): void {
  const installation = { bin: join(folder, "none"), data: join(dataDir, "postgres", "data"), account: undefined };
  launch(installation, dataDir, 1, false).on("error", () => {});
}

test("a log that cannot be written is refused by its name", () => {
  const dataDir = join(folder, "unwritable");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "logs"), "");
  expect(() => attempt(dataDir)).toThrow(`${join(dataDir, "logs", "postgres.log")} cannot be written (EEXIST)`);
});

test.runIf(process.getuid?.() === 0)("a log that root creates belongs to the owner of DATA_DIR", () => {
  const dataDir = join(folder, "owned");
  mkdirSync(dataDir);
  chownSync(dataDir, 12_345, 12_346);
  attempt(dataDir);
  for (const path of ["logs", "logs/postgres.log"]) {
    const { uid, gid, mode } = statSync(join(dataDir, path));
    expect([uid, gid, mode & 0o077]).toEqual([12_345, 12_346, 0]);
  }
});
