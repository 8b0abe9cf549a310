import type pg from "pg";
import { draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { witnessUrl } from "@/lib/audit-logs/cosign/witness-url";
import { readInstallation } from "@/lib/audit-logs/sign/installation";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { name as nameShape } from "@/lib/http/endpoint";
import { ApiError, invalid } from "@/lib/http/errors";
import { FormatError } from "@/lib/sealed-log/format-error";
import { COSIGNATURE, formatVkey, parseVkey, type VerifierKey } from "@/lib/sealed-log/vkey";

/** The most witnesses: verifiers accept at least 16 signatures of a note, of which two may be ours. */
const MAX_WITNESSES = 10;

interface NewWitness {
  name: string;
  vkey: string;
  url: string;
}

/** Adds a witness that cosigns this installation's checkpoints from now on. Throws 400, 409. */
export async function addWitness({ name, vkey, url }: NewWitness): Promise<NewWitness> {
  const event = draftStorage.getStore();
  event?.resource("audit_log", null);
  if (event !== undefined) event.row.details = { name: name.slice(0, 100), vkey: vkey.slice(0, 500) };
  const parsed = nameShape.safeParse(name);
  if (!parsed.success) throw invalid("NAME", parsed.error.issues[0]?.message ?? "is invalid");
  const key = readKey(vkey);
  const { public_key } = await readInstallation();
  if (public_key?.equals(key.publicKey)) throw invalid("VKEY", "is the key that signs this log");
  const added = { name: parsed.data, vkey: formatVkey(key), url: readUrl(url) };
  await withTransaction(auditPool(), (client) => insert(client, added));
  return added;
}

async function insert(client: pg.PoolClient, { name, vkey, url }: NewWitness): Promise<void> {
  await client.query("LOCK TABLE audit_seal_witnesses IN SHARE ROW EXCLUSIVE MODE");
  const { rows } = await client.query<NewWitness>("SELECT name, vkey, url FROM audit_seal_witnesses");
  const same = rows.find((one) => one.name === name || one.vkey === vkey);
  if (same !== undefined)
    throw new ApiError("CONFLICT", `There is the witness “${same.name}” with the key ${same.vkey}.`);
  if (rows.length >= MAX_WITNESSES) throw new ApiError("CONFLICT", `There are ${MAX_WITNESSES} witnesses already.`);
  await client.query("INSERT INTO audit_seal_witnesses (name, vkey, url) VALUES ($1, $2, $3)", [name, vkey, url]);
}

function readKey(text: string): VerifierKey {
  try {
    const key = parseVkey(text);
    if (key.type === COSIGNATURE) return key;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw invalid("VKEY", error.message);
  }
  throw invalid("VKEY", "is the key of a log, not that of a witness");
}

function readUrl(text: string): string {
  try {
    return witnessUrl(text);
  } catch (error) {
    throw invalid("URL", (error as Error).message);
  }
}
