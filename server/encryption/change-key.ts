import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { config } from "@/lib/config";
import { pool } from "@/lib/db/app";
import { ENCRYPTION_KEY_FILE, readEncryptionKeys, seal, unsealWith } from "@/lib/encryption";
import { BEFORE_ANY_ID } from "@/lib/ids";
import { CliError } from "@/server/cli-error";
import { deleteEncryptionKeyBefore, replaceEncryptionKey } from "@/server/data-dir";
import { type SealedTable, sealedTables } from "@/server/encryption/sealed-columns";

const BATCH_SIZE = 100;
/** Longer than a transaction that encrypted with the key before may still take to commit, in milliseconds. */
const LAST_WRITES_MS = 60_000;

/** What a change of the key did. */
export interface KeyChange {
  /** Secrets that this run encrypted with the present key. */
  changed: number;
  /** Secrets that neither key opens. */
  unreadable: number;
  /** Whether the key before is still there. */
  is_finished: boolean;
}

interface Row {
  organizationId: string;
  id: string;
  secrets: Buffer;
}

/**
 * Changes the key that encrypts secrets while Sealwatch runs: a new key in DATA_DIR, or with keys in the environment the one that
 * encrypts there. Repeated after an interruption, it goes on. Throws CliError if there is no other key in the environment, or if the key in
 * DATA_DIR opens none of the secrets.
 */
export async function changeEncryptionKey(lastWritesMs = LAST_WRITES_MS): Promise<KeyChange> {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_OTHER, DATA_DIR } = config();
  if (ENCRYPTION_KEY !== undefined) {
    if (ENCRYPTION_KEY_OTHER === undefined) throw new CliError(IN_ENVIRONMENT);
    return { ...(await reencryptAll()), is_finished: false };
  }
  await assertOpensSecrets(DATA_DIR);
  replaceEncryptionKey(DATA_DIR);
  const first = await reencryptAll();
  const replacedAt = statSync(join(DATA_DIR, ENCRYPTION_KEY_FILE)).mtimeMs;
  await delay(Math.max(0, replacedAt + lastWritesMs - Date.now()));
  // What processes were still writing with the key before.
  const last = await reencryptAll();
  deleteEncryptionKeyBefore(DATA_DIR);
  return { changed: first.changed + last.changed, unreadable: last.unreadable, is_finished: true };
}

async function reencryptAll(): Promise<{ changed: number; unreadable: number }> {
  const total = { changed: 0, unreadable: 0 };
  for (const table of sealedTables) {
    const { changed, unreadable } = await reencrypt(table);
    total.changed += changed;
    total.unreadable += unreadable;
  }
  return total;
}

/** With the DATA_DIR of another installation, a new key would look as if all secrets were lost. Throws CliError. */
async function assertOpensSecrets(dataDir: string): Promise<void> {
  const keys = existsSync(join(dataDir, ENCRYPTION_KEY_FILE)) ? readEncryptionKeys() : [];
  let isEmpty = true;
  for (const { table, contextOf } of sealedTables)
    for await (const rows of batchesOf(table)) {
      isEmpty = false;
      if (rows.some((row) => keys.some((key) => key && unsealWith(key, row.secrets, contextOf(row)) !== undefined)))
        return;
    }
  if (isEmpty) return;
  throw new CliError(
    `The key in DATA_DIR (${join(dataDir, ENCRYPTION_KEY_FILE)}) does not open the secrets of this database. Nothing was changed.`,
  );
}

/** Goes through a table in batches without holding locks between them. */
async function reencrypt({ table, contextOf }: SealedTable): Promise<{ changed: number; unreadable: number }> {
  let [changed, unreadable] = [0, 0];
  for await (const rows of batchesOf(table)) {
    const [current, other] = readEncryptionKeys();
    const old = rows.filter((row) => unsealWith(current, row.secrets, contextOf(row)) === undefined);
    const opened = old.flatMap((row) => {
      const text = other && unsealWith(other, row.secrets, contextOf(row));
      return text === undefined ? [] : [{ ...row, sealed: seal(text, contextOf(row)) }];
    });
    unreadable += old.length - opened.length;
    changed += await replace(table, opened);
  }
  return { changed, unreadable };
}

async function* batchesOf(table: string): AsyncGenerator<Row[]> {
  let after: Pick<Row, "organizationId" | "id"> = { organizationId: BEFORE_ANY_ID, id: BEFORE_ANY_ID };
  for (;;) {
    const { rows } = await pool().query<Row>(
      `SELECT organization_id AS "organizationId", id, secrets FROM ${table}
       WHERE (organization_id, id) > ($1, $2) AND secrets IS NOT NULL ORDER BY organization_id, id LIMIT ${BATCH_SIZE}`,
      [after.organizationId, after.id],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}

/** Only what is as it was read: what somebody changed meanwhile is encrypted with the present key, or comes up in the last pass. */
async function replace(table: string, rows: readonly (Row & { sealed: Buffer })[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { rowCount } = await pool().query(
    `UPDATE ${table} AS kept SET secrets = given.sealed
     FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[]) AS given (organization_id, id, secrets, sealed)
     WHERE kept.organization_id = given.organization_id AND kept.id = given.id AND kept.secrets = given.secrets`,
    [
      rows.map(({ organizationId }) => organizationId),
      rows.map(({ id }) => id),
      rows.map(({ secrets }) => secrets),
      rows.map(({ sealed }) => sealed),
    ],
  );
  return rowCount ?? 0;
}

const IN_ENVIRONMENT = [
  "ENCRYPTION_KEY is set in the environment, so change it there, in this order, on all machines:",
  "1. Set ENCRYPTION_KEY_OTHER to a new key (openssl rand -base64 32), and restart the processes one after the other.",
  "2. Exchange the values of ENCRYPTION_KEY and ENCRYPTION_KEY_OTHER, and restart the processes one after the other.",
  "3. Run this command with both.",
  "4. Remove ENCRYPTION_KEY_OTHER, and restart the processes one after the other.",
].join("\n");

/** The result in sentences. */
export function changeWords({ changed, unreadable, is_finished }: KeyChange): string {
  const lines = [`${changed} secrets were encrypted with the current key.`];
  if (unreadable > 0) lines.push(`${unreadable} secrets cannot be opened with either key: enter them again.`);
  lines.push(
    is_finished
      ? "The previous key was deleted. Back up the new one."
      : "Run this again until it changes none, then remove ENCRYPTION_KEY_OTHER from all machines.",
  );
  return lines.join("\n");
}
