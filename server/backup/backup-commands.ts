import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { config } from "@/lib/config";
import { createBackup, verifyFiles } from "@/server/backup/create-backup";
import { keptApart, keysOfSecrets } from "@/server/backup/kept-apart";
import { DATABASES, type Manifest, readManifest } from "@/server/backup/manifest";
import { migrationsOf, restoreBackup } from "@/server/backup/restore-backup";
import { UsageError } from "@/server/cli-error";
import { callersPath } from "@/server/commands/callers-path";
import { BACKUP_USAGE, RESTORE_USAGE } from "@/server/commands/usages";
import { withOpenDatabases } from "@/server/database/databases";

interface Words {
  folder: string;
  json: boolean;
  verify: boolean;
}

const KEY_CHANGED =
  "The encryption key was being changed during this backup. Some secrets in it open only with the previous key, which is deleted when the change ends. Back up again after `encryption rotate` has ended.";

/** Backs up both databases. @returns the exit code. Throws CliError. */
export async function runBackup(argv: readonly string[]): Promise<number> {
  const { folder, json, verify } = parse(argv, BACKUP_USAGE);
  if (verify) throw new UsageError(`The command is: ${BACKUP_USAGE}`);
  const settings = config();
  const [apart, keys] = [keptApart(settings), keysOfSecrets(settings)];
  const manifest = await withOpenDatabases(() => createBackup(folder));
  const allApart = new Set([...apart, ...keptApart(settings)]);
  if (keys.length > 1 || keys.join() !== keysOfSecrets(settings).join()) process.stderr.write(`${KEY_CHANGED}\n`);
  const counted = count(manifest);
  const words = `Backed up ${amount(counted)} to ${folder}. Not in it, and needed for a restore: ${[...allApart].join(", ")}.`;
  print(json ? JSON.stringify({ id: manifest.id, folder, ...counted }) : words);
  return 0;
}

/** Restores both databases, or only reads the backup. @returns the exit code. Throws CliError. */
export async function runRestore(argv: readonly string[]): Promise<number> {
  const { folder, json, verify } = parse(argv, RESTORE_USAGE);
  const manifest = readManifest(folder);
  migrationsOf(manifest);
  await verifyFiles(folder, manifest);
  const counted = count(manifest);
  if (verify) {
    const words = `${folder} is complete: ${amount(counted)}, as of ${manifest.databases.audit.snapshot_at}.`;
    print(json ? JSON.stringify({ id: manifest.id, ...counted }) : words);
    return 0;
  }
  const epoch = await withOpenDatabases((postgres) => {
    const howToEmpty = postgres
      ? `Stop Sealwatch and move ${resolve(config().DATA_DIR, "postgres")} away.`
      : "Create new databases, and set the URLs to them.";
    return restoreBackup(folder, manifest, howToEmpty);
  });
  const { snapshot_at } = manifest.databases.monitoring;
  const words = `Restored ${amount(counted)}. The sealed logs are in epoch ${epoch} now. Start Sealwatch with the keys of that installation.
Everybody has to sign in again. API keys, agents, addresses and members that were revoked, replaced or removed after ${snapshot_at} are valid again: revoke them once more.`;
  print(json ? JSON.stringify({ id: manifest.id, epoch, ...counted }) : words);
  return 0;
}

function parse(argv: readonly string[], usage: string): Words {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, verify: { type: "boolean", default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UsageError(`The command is: ${usage}`);
  return { folder: callersPath(folder), ...values };
}

function count({ databases }: Manifest): { tables: number; rows: number; bytes: number } {
  const tables = DATABASES.flatMap((name) => databases[name].tables);
  const sum = (of: (table: (typeof tables)[number]) => number) => tables.reduce((total, each) => total + of(each), 0);
  return { tables: tables.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
}

const amount = ({ tables, rows, bytes }: ReturnType<typeof count>) =>
  `${rows.toLocaleString("en")} rows of ${tables} tables (${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB)`;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
