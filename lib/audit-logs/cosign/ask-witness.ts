import type { DueWitness } from "@/lib/audit-logs/cosign/lease-witnesses";
import { NotCosigned, requestCosignature } from "@/lib/audit-logs/cosign/request-cosignature";
import { proveRounds } from "@/lib/audit-logs/rounds/prove";
import { auditPool } from "@/lib/db/audit";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";
import { type Head, verifyConsistency } from "@/lib/sealed-log/proofs";
import { parseVkey } from "@/lib/sealed-log/vkey";

/** What came of asking a witness. */
export type WitnessOutcome =
  /** It has cosigned the checkpoint of the entry `index`. */
  | { kind: "cosigned"; epoch: number; index: number; line: string; at: Date }
  /** It has cosigned as many entries of this log, for another worker or before an answer was lost. */
  | { kind: "seen"; epoch: number; size: number }
  /** It knows another history of the log, so that nothing may be signed. */
  | { kind: "refused"; epoch: number; reason: string }
  | { kind: "failed"; reason: string; pause: number }
  /** There is nothing to ask it. */
  | { kind: "idle" };

interface Round {
  epoch: number;
  index: number;
  checkpoint: string;
}

/** Rounds that a witness makes up for one by one, rather than to go on with the newest: many follow each other in large installations. */
const MADE_UP_FOR = 20;

/** The newest signed rounds, and the one that is last among the heads of every organization, if there is one. */
const ROUNDS = `
  SELECT r.epoch, r.index::float8 AS index, checkpoint FROM audit_seal_rounds r JOIN audit_seal_installation i ON i.epoch = r.epoch
  WHERE checkpoint IS NOT NULL AND (r.index = covered_index OR r.index >= i.size - ${MADE_UP_FOR}) ORDER BY r.index`;

/**
 * Asks a witness to cosign the next checkpoint of the log over all heads, if it is among the newest or covers all organizations, and else
 * the oldest of these. If the witness names another size than expected, it is asked once more from there.
 */
export async function askWitness(witness: DueWitness, signal: AbortSignal): Promise<WitnessOutcome> {
  const { rows: rounds } = await auditPool().query<Round>(ROUNDS);
  const newest = rounds.at(-1);
  if (newest === undefined) return { kind: "idle" };
  const known = witness.epoch === newest.epoch ? witness.size : 0;
  const round = rounds.find(({ index }) => known <= index) ?? newest;
  const of = { key: parseVkey(witness.vkey), url: witness.url };
  const { epoch, index, checkpoint: note } = round;
  const head = parseCheckpoint(parseNote(note).text);
  try {
    let old = Math.min(known, head.size);
    for (let isRepeated = false; ; isRepeated = true) {
      const proof = await growth(epoch, old, head);
      const reply = await requestCosignature(of, { old, proof, note }, signal);
      if (reply.kind === "cosigned") return { ...reply, epoch, index };
      if (reply.kind === "inconsistent") return { kind: "refused", epoch, reason: otherHistory(witness.name, old) };
      if (reply.size > head.size) return await larger(witness.name, epoch, reply.size);
      if (isRepeated || reply.size === old)
        throw new NotCosigned(`answered that it has cosigned ${reply.size} entries`);
      old = reply.size;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof NotCosigned) return { kind: "failed", reason: error.message, pause: error.pause };
    throw error;
  }
}

/** The consistency proof to send. Throws if the stored rounds do not give it: a witness would take that for another history. */
async function growth(epoch: number, old: number, head: Head) {
  const { from, proof } = await proveRounds(auditPool(), epoch, old, head.size);
  if (!verifyConsistency(from, head, proof)) throw new Error("the stored rounds are not those that were signed");
  return proof;
}

/** The witness names more entries than the checkpoint has. Another worker may have signed them since. */
async function larger(name: string, epoch: number, size: number): Promise<WitnessOutcome> {
  const { rows } = await auditPool().query<{ epoch: number; size: number }>(
    "SELECT epoch, size::float8 AS size FROM audit_seal_installation",
  );
  const [now] = rows;
  if (now === undefined || now.epoch !== epoch) return { kind: "idle" };
  if (size <= now.size) return { kind: "seen", epoch, size };
  return { kind: "refused", epoch, reason: tooShort(name, size, now.size) };
}

const ADVICE = "Run: npm run cli -- audit epoch new --reason TEXT";

const tooShort = (name: string, size: number, now: number) =>
  `The witness “${name}” has cosigned ${size} rounds of this installation, and the audit database has ${now}, as after a restore. ${ADVICE}`;

const otherHistory = (name: string, size: number) =>
  `The witness “${name}” has cosigned another history: the first ${size} rounds of this installation are not those that it saw. ${ADVICE}`;
