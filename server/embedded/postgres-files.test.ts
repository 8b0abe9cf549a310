import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openToAll } from "@/server/embedded/postgres-files";

const folder = mkdtempSync(join(tmpdir(), "sealwatch-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("programs copied from a private checkout can be run by every account", () => {
  mkdirSync(join(folder, "programs", "native"), { recursive: true, mode: 0o700 });
  const at = (name: string) => join(folder, "programs", "native", name);
  writeFileSync(join(folder, "outside"), "", { mode: 0o600 });
  writeFileSync(at("postgres"), "", { mode: 0o700 });
  writeFileSync(at("libpq.so"), "", { mode: 0o640 });
  symlinkSync(join(folder, "outside"), at("link"));
  chmodSync(join(folder, "programs"), 0o750);
  openToAll(join(folder, "programs"));
  const paths = [join(folder, "programs"), at("."), at("postgres"), at("libpq.so"), join(folder, "outside")];
  expect(paths.map((path) => lstatSync(path).mode & 0o777)).toEqual([0o755, 0o755, 0o755, 0o644, 0o600]);
});
