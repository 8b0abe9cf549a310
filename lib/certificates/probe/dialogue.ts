/** The client's next step in a dialogue: say something, or wait for that much input. */
type Move = { say: string | Uint8Array } | { line: true } | { bytes: number } | { until: readonly string[] };

/** The client's side of a plaintext dialogue until TLS begins. `yield` returns the input it waited for. */
export type Script = Generator<Move, void, Buffer>;

/** The peer does not start TLS, or does not speak the protocol. */
export class Refusal extends Error {
  constructor(
    readonly reason: "not_offered" | "refused" | "unexpected_answer" | "too_much_said" | "said_more",
    /** The peer's own words, shortened and made printable. */
    readonly said: string | null,
  ) {
    super(reason);
  }
}

/** The result of a step of a dialogue. */
export interface Step {
  /** Bytes to send now. */
  say: Buffer;
  /** TLS begins afterwards. */
  done: boolean;
}

/** Far more than any real server sends before TLS. */
const MAX_BYTES = 16_384;
const MAX_SHOWN = 300;

/** A peer's bytes as one short line of text. */
export function shown(bytes: Uint8Array | string): string {
  const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
  const line = text.trim().replace(/[^\x20-\x7e]+/g, (odd) => (/^[\r\n\t]+$/.test(odd) ? " " : "\ufffd"));
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** The end of the expected input within the received bytes; -1 while it is incomplete. */
function endOf(wanted: Exclude<Move, { say: unknown }>, received: Buffer): number {
  if ("bytes" in wanted) return received.length >= wanted.bytes ? wanted.bytes : -1;
  const ends = "line" in wanted ? ["\n"] : wanted.until;
  const found = ends.flatMap((end) => {
    const at = received.indexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return found.length === 0 ? -1 : Math.min(...found);
}

/**
 * Runs a script as a state machine: bytes in, bytes out, until it is done. The first call starts it with the bytes received so
 * far. Throws Refusal, also if the peer sends more where TLS should begin, because that data may have been injected.
 */
export function converse(script: Script): (bytes: Uint8Array) => Step {
  let received = Buffer.alloc(0);
  let total = 0;
  let move: IteratorResult<Move, void> | undefined;
  return (bytes) => {
    total += bytes.length;
    received = Buffer.concat([received, bytes]);
    if (total > MAX_BYTES) throw new Refusal("too_much_said", shown(received.subarray(0, MAX_SHOWN)));
    const said: Buffer[] = [];
    move ??= script.next(Buffer.alloc(0));
    while (!move.done) {
      if ("say" in move.value) {
        said.push(Buffer.from(move.value.say));
        move = script.next(Buffer.alloc(0));
        continue;
      }
      const end = endOf(move.value, received);
      if (end === -1) return { say: Buffer.concat(said), done: false };
      const part = received.subarray(0, end);
      received = received.subarray(end);
      move = script.next(part);
    }
    if (received.length > 0) throw new Refusal("said_more", shown(received));
    return { say: Buffer.concat(said), done: true };
  };
}
