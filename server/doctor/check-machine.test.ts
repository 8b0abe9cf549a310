import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { configure } from "@/lib/config";
import { checkDataDir } from "@/server/doctor/check-machine";

/** Another file system, which Linux usually has. */
const MEMORY = "/dev/shm";
const isElsewhere = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

const folder = mkdtempSync(join(tmpdir(), "sealwatch-disks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folders whose space is reported. */
function reported(DATA_DIR: string): string[] {
  configure({ DATA_DIR });
  return checkDataDir().map(({ message }) => message.replace(/^.* free at /, ""));
}

test("the space of DATA_DIR is reported once, before it exists and with PostgreSQL in it", () => {
  expect(reported(join(folder, "later", "data"))).toEqual([folder]);
  mkdirSync(join(folder, "postgres"));
  expect(reported(folder)).toEqual([folder]);
});

test.runIf(isElsewhere)("the space where PostgreSQL is linked to is reported too", () => {
  const [dataDir, place] = [join(folder, "linked"), mkdtempSync(join(MEMORY, "sealwatch-disks-"))];
  mkdirSync(dataDir);
  symlinkSync(place, join(dataDir, "postgres"));
  expect(reported(dataDir)).toEqual([dataDir, place]);
  rmSync(place, { recursive: true });
});
