import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStart } from "@/e2e/support/servers/sealwatch";
import { exclusively } from "@/server/exclusive.mjs";

/** Names the folder in the environment of every process that the tests start, so that it is prepared once. */
const PREPARED_DATA = "SEALWATCH_TEST_DATA";

/** Tests kill processes, never the machine, so data that the operating system has received is safe without waiting for the disk. */
const QUICK = "\nfsync = off\nfull_page_writes = off\n";

/**
 * Creates a DATA_DIR with empty, migrated databases, which servers and clusters of tests copy instead of setting up their own.
 * Uses that of a suite that runs in parallel, if there is one. Returns a function that removes it if this call created it.
 */
export async function prepareData(): Promise<() => void> {
  if (process.platform === "win32") return () => {};
  const given = process.env[PREPARED_DATA];
  const folder = given ?? mkdtempSync(join(tmpdir(), "sealwatch-prepared-"));
  // PostgreSQL refuses to run as root; the account it then gets must be able to pass through.
  chmodSync(folder, 0o711);
  await exclusively(`test-data-${folder.replace(/\W/g, "")}`, async () => {
    const data = join(folder, "data");
    if (existsSync(join(folder, "done"))) return;
    const { code, stderr } = await runStart(["--cli", "org", "list"], { DATA_DIR: data });
    if (code !== 0) throw new Error(stderr);
    appendFileSync(join(data, "postgres", "data", "postgresql.conf"), QUICK);
    appendFileSync(join(folder, "done"), "");
  });
  process.env[PREPARED_DATA] = folder;
  return () => given ?? rmSync(folder, { recursive: true, force: true });
}

/** Copies the prepared DATA_DIR to `dataDir`, which does not exist yet. Returns whether there was one. */
export function copyPreparedData(dataDir: string): boolean {
  const folder = process.env[PREPARED_DATA];
  if (folder === undefined) return false;
  const from = join(folder, "data");
  // A link leads to databases outside of the folder, because PostgreSQL's account cannot enter it.
  if (lstatSync(join(from, "postgres")).isSymbolicLink()) return false;
  // Unlike `fs.cp`, this keeps owners and modes.
  execFileSync("cp", ["-a", from, dataDir]);
  return true;
}
