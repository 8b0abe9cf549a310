import { fetchGuarded } from "@/lib/network/http";
import { parseNetwork } from "@/lib/networks";
import { type AddCheckpoint, formatAddCheckpoint } from "@/lib/sealed-log/add-checkpoint";
import { FormatError } from "@/lib/sealed-log/format-error";
import { formatNote, parseNote, verifyNote } from "@/lib/sealed-log/note";
import type { VerifierKey } from "@/lib/sealed-log/vkey";

/** Of one request. A cosignature takes milliseconds; the witness may be on the other side of the world. */
const DEADLINE_MS = 10_000;
/** Some cosignatures, perhaps of larger kinds that are ignored. */
const MAX_REPLY_BYTES = 32 * 1024;
/** How far the clock of a witness may be from this one. */
const MAX_SKEW_MS = 300_000;
/** The longest time to wait that a witness can ask for. */
const MAX_PAUSE_SECONDS = 600;
const SIZE = /^(0|[1-9]\d{0,15})\n?$/;
/** Every address: the operator names the witness, which may be on the operator's network. */
const guard = { allowedNetworks: [parseNetwork("0.0.0.0/0"), parseNetwork("::/0")] };

/** A witness does not cosign. The message says why: the witness “…”. */
export class NotCosigned extends Error {
  override readonly name = "NotCosigned";

  /** `pause`: the seconds that the witness asks to wait for. */
  constructor(
    message: string,
    readonly pause = 0,
  ) {
    super(message);
  }
}

/** What a witness answers: its cosignature, the size that it has cosigned last, or that the proof does not lead from what it has. */
type WitnessReply =
  | { kind: "cosigned"; line: string; at: Date }
  | { kind: "size"; size: number }
  | { kind: "inconsistent" };

/**
 * Asks a witness to cosign a checkpoint (C2SP tlog-witness, add-checkpoint). `url` is its submission prefix. Rejects with NotCosigned,
 * or with the signal's reason.
 */
export async function requestCosignature(
  { key, url }: { key: VerifierKey; url: string },
  asked: AddCheckpoint,
  signal: AbortSignal,
): Promise<WitnessReply> {
  const { status, headers, body } = await fetchGuarded(new URL(`${url}/add-checkpoint`), {
    method: "POST",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: formatAddCheckpoint(asked),
    ...{ deadlineMs: DEADLINE_MS, maxBytes: MAX_REPLY_BYTES, signal, ...guard },
  }).catch((error: Error) => {
    signal.throwIfAborted();
    // The network's errors are those of an unavailable database, too.
    throw new NotCosigned(`did not answer: ${error.message}`);
  });
  const text = body.toString("utf8");
  if (status === 200) return readCosignature(key, asked.note, text, Date.now());
  if (status === 409) return { kind: "size", size: readSize(headers["content-type"], text) };
  if (status === 422) return { kind: "inconsistent" };
  throw new NotCosigned(REFUSALS[status] ?? `answered with HTTP status ${status}`, pauseOf(headers["retry-after"]));
}

const REFUSALS: Record<number, string> = {
  403: "does not know the key that signs this log: give its operator the output of audit vkey",
  404: "does not know this log: give its operator the output of audit vkey",
};

/** The cosignature of the witness among the lines of an answer. `now` is in Unix milliseconds. Throws NotCosigned. */
function readCosignature(
  key: VerifierKey,
  note: string,
  lines: string,
  now: number,
): Extract<WitnessReply, { kind: "cosigned" }> {
  try {
    const { text } = parseNote(note);
    const { signatures } = parseNote(`${text}\n${lines}`);
    const own = signatures.filter(({ name, id }) => name === key.name && id === key.id);
    const [signature] = own;
    if (signature === undefined) throw new NotCosigned("answered without a cosignature of its key");
    const times = verifyNote({ text, signatures: own }, [key]).map(({ time }) => (time ?? 0) * 1000);
    const [at = 0] = times;
    if (Math.abs(at - now) > MAX_SKEW_MS) {
      throw new NotCosigned(`cosigned with the time ${new Date(Math.min(at, 8.64e15)).toISOString()}`);
    }
    const line = formatNote({ text: "", signatures: [signature] }).replace(/^\n/, "");
    return { kind: "cosigned", line, at: new Date(at) };
  } catch (error) {
    if (error instanceof FormatError) throw new NotCosigned(`answered wrongly: ${error.message}`);
    throw error;
  }
}

function readSize(type: string | undefined, text: string): number {
  const [, digits] = SIZE.exec(text) ?? [];
  const size = Number(digits);
  if (digits === undefined || !Number.isSafeInteger(size) || type?.split(";")[0]?.trim() !== "text/x.tlog.size") {
    throw new NotCosigned("answered with HTTP status 409 and no size");
  }
  return size;
}

function pauseOf(header: string | undefined): number {
  const seconds = Number(/^\d{1,9}$/.exec(header ?? "")?.[0] ?? 0);
  return Math.min(seconds, MAX_PAUSE_SECONDS);
}
