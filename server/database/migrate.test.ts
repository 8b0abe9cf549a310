import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pendingMigrations, readMigrations } from "@/server/database/migrate";

let folder: string;

function write(name: string, sql: string) {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sealwatch-migrations-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("migrations", () => {
  test("are read in the order of their names, with the checksum of their bytes", () => {
    write("20260201000000_second", "SELECT 2");
    write("20260101000000_first", "SELECT 'é'");
    writeFileSync(join(folder, "migration_lock.toml"), 'provider = "postgresql"');
    const migrations = readMigrations(folder);
    expect(migrations.map(({ name }) => name)).toEqual(["20260101000000_first", "20260201000000_second"]);
    expect(migrations[0]?.checksum).toBe(createHash("sha256").update("SELECT 'é'").digest("hex"));
  });

  test("that are already applied are skipped, even if the database has newer migrations", () => {
    write("1_a", "SELECT 1");
    write("2_b", "SELECT 2");
    const known = readMigrations(folder);
    const applied = [
      { migration_name: "1_a", checksum: known[0]?.checksum ?? "", finished_at: new Date() },
      { migration_name: "9_newer", checksum: "0", finished_at: new Date() },
    ];
    expect(pendingMigrations(known, applied).map(({ name }) => name)).toEqual(["2_b"]);
  });

  test("that were changed after they were applied are refused by name", () => {
    write("1_a", "SELECT 1");
    const applied = [{ migration_name: "1_a", checksum: "0".repeat(64), finished_at: new Date() }];
    expect(() => pendingMigrations(readMigrations(folder), applied)).toThrow("Migration 1_a was changed after");
  });

  test("that were left unfinished are refused by name", () => {
    const applied = [{ migration_name: "1_a", checksum: "0", finished_at: null }];
    expect(() => pendingMigrations([], applied)).toThrow("Migration 1_a was started but never finished");
  });
});
