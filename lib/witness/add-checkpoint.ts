import { pool } from "@/lib/db/app";
import { parseAddCheckpoint } from "@/lib/sealed-log/add-checkpoint";
import { type Checkpoint, parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { FormatError } from "@/lib/sealed-log/format-error";
import { cosign, formatNote, type Note, parseNote, verifyNote } from "@/lib/sealed-log/note";
import { type Head, verifyConsistency } from "@/lib/sealed-log/proofs";
import { EMPTY_ROOT } from "@/lib/sealed-log/tree";
import type { Witness } from "@/lib/witness/identity";

/** What a log is answered (C2SP tlog-witness): the cosignature's line, the size seen last, or why there is neither. */
export type WitnessAnswer = { status: 200 | 400 | 403 | 404 | 409 | 422; text: string };

const refuse = (status: 400 | 403 | 404 | 422, why: string): WitnessAnswer => ({ status, text: `${why}\n` });
const seen = ({ size }: Head): WitnessAnswer => ({ status: 409, text: `${size}\n` });

/**
 * Cosigns a log's checkpoint if it continues the last one that this witness has seen of the log. The state moves by one statement that
 * names the state it replaces, so that of two histories at most one is ever cosigned. `now` is in Unix milliseconds.
 */
export async function addCheckpoint(own: Witness, body: string, now = Date.now()): Promise<WitnessAnswer> {
  const read = readRequest(own, body);
  if ("status" in read) return read;
  const { old, proof, note, checkpoint } = read;
  const last = await lastSeen(checkpoint.origin);
  if (old > checkpoint.size) return refuse(400, "The old size is larger than the checkpoint's.");
  if (old !== last.size) return seen(last);
  if (!verifyConsistency(last, checkpoint, proof))
    return refuse(422, "The proof does not show that the log has only grown.");
  if (!(await moveOn(last, checkpoint))) return seen(await lastSeen(checkpoint.origin));
  const signature = cosign(note.text, Math.floor(now / 1000), own.key, own.verifier);
  const [, lines = ""] = formatNote({ text: "", signatures: [signature] }).split(/^\n/);
  return { status: 200, text: lines };
}

interface ReadRequest {
  old: number;
  proof: Uint8Array[];
  note: Note;
  checkpoint: Checkpoint;
}

/** The request, if its log is known and has signed the checkpoint; otherwise the refusal. */
function readRequest({ logs }: Witness, body: string): ReadRequest | WitnessAnswer {
  try {
    const { old, proof, note: text } = parseAddCheckpoint(body);
    const note = parseNote(text);
    const checkpoint = parseCheckpoint(note.text);
    const keys = logs.filter(({ name }) => name === checkpoint.origin);
    if (keys.length === 0) return refuse(404, "This witness does not know the log.");
    if (!isSigned(note, keys)) return refuse(403, "No known key of the log has signed the checkpoint.");
    return { old, proof, note, checkpoint };
  } catch (error) {
    if (error instanceof FormatError) return refuse(400, error.message);
    throw error;
  }
}

function isSigned(note: Note, keys: Witness["logs"]): boolean {
  try {
    return verifyNote(note, keys).length > 0;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** The size and root that this witness has seen last of a log; those of the empty log before the first. */
async function lastSeen(origin: string): Promise<Head> {
  const { rows } = await pool().query<Head>("SELECT size::float8 AS size, root FROM witnessed_logs WHERE origin = $1", [
    origin,
  ]);
  return rows[0] ?? { size: 0, root: EMPTY_ROOT };
}

/** Whether the state was still `last`, and is `next` now. */
async function moveOn(last: Head, next: Checkpoint): Promise<boolean> {
  const { rowCount } = await pool().query(
    `INSERT INTO witnessed_logs (origin, size, root) SELECT $1, $2, $3 WHERE $4::bigint = 0
       OR EXISTS (SELECT FROM witnessed_logs WHERE origin = $1)
     ON CONFLICT (origin) DO UPDATE SET size = excluded.size, root = excluded.root, witnessed_at = now()
     WHERE witnessed_logs.size = $4 AND witnessed_logs.root = $5`,
    [next.origin, next.size, Buffer.from(next.root), last.size, Buffer.from(last.root)],
  );
  return rowCount === 1;
}
