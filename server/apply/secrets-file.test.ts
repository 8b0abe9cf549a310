import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SecretsFile } from "@/server/apply/secrets-file";
import { CliError } from "@/server/cli-error";

const folder = mkdtempSync(join(tmpdir(), "sealwatch-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("has a line per secret, and only its owner can read it", () => {
  const path = join(folder, "written");
  const before = process.umask(0);
  const file = new SecretsFile(path);
  process.umask(before);
  file.write({ name: "ci\n", secret: "s" });
  // On disk at once, not only when it is closed.
  expect(readFileSync(path, "utf8")).toBe('{"name":"ci\\n","secret":"s"}\n');
  file.write({ name: "cd" });
  file.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
});

test("is removed if nothing was written", () => {
  const path = join(folder, "empty");
  new SecretsFile(path).close();
  expect(existsSync(path)).toBe(false);
});

test("neither replaces a file nor follows a link, and says why it cannot be written", () => {
  const [present, target, link] = [join(folder, "present"), join(folder, "target"), join(folder, "link")];
  writeFileSync(present, "kept");
  symlinkSync(target, link);
  for (const path of [present, link]) expect(() => new SecretsFile(path)).toThrow(/exists/);
  expect([readFileSync(present, "utf8"), existsSync(target)]).toEqual(["kept", false]);
  expect(() => new SecretsFile(join(folder, "no", "file"))).toThrow(CliError);
  expect(() => new SecretsFile(join(folder, "no", "file"))).toThrow(/cannot be written: ENOENT/);
});
