/** What our side of a dialogue does next: say something, or wait for that much. */
export type Move = { say: string | Uint8Array } | { line: true } | { bytes: number } | { until: readonly string[] };

/** Our side of a dialogue in clear, up to the point where TLS begins. What it waited for is what `yield` gives. */
export type Script = Generator<Move, void, Buffer>;

/** The peer will not start TLS, or does not speak the protocol. */
export class Refusal extends Error {
  constructor(
    readonly reason: "not_offered" | "refused" | "unexpected_answer" | "too_much_said" | "said_more",
    /** The peer's own words, made printable and short. */
    readonly said: string | null,
  ) {
    super(reason);
  }
}

/** What a step of a dialogue leads to. */
export interface Step {
  /** To be sent now. */
  say: Buffer;
  /** TLS begins after that. */
  done: boolean;
}

/** Far more than any real server says before TLS. */
const MAX_BYTES = 16_384;
const MAX_SHOWN = 300;

/** Bytes of a peer as one short line of text. */
export function shown(bytes: Uint8Array | string): string {
  const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
  const line = text.trim().replace(/[^\x20-\x7e]+/g, (odd) => (/^[\r\n\t]+$/.test(odd) ? " " : "\ufffd"));
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

/** Where what is waited for ends in what has been heard; -1 while it has not all come. */
function endOf(wanted: Exclude<Move, { say: unknown }>, heard: Buffer): number {
  if ("bytes" in wanted) return heard.length >= wanted.bytes ? wanted.bytes : -1;
  const ends = "line" in wanted ? ["\n"] : wanted.until;
  const found = ends.flatMap((end) => {
    const at = heard.indexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return found.length === 0 ? -1 : Math.min(...found);
}

/**
 * A script as a machine: bytes in, bytes out, until it is done. The first call begins it, with whatever has come by then. Throws
 * Refusal, also for a peer that goes on talking where TLS should begin: what was slipped in before the encryption counts for nothing.
 */
export function converse(script: Script): (bytes: Uint8Array) => Step {
  let heard = Buffer.alloc(0);
  let total = 0;
  let move: IteratorResult<Move, void> | undefined;
  return (bytes) => {
    total += bytes.length;
    heard = Buffer.concat([heard, bytes]);
    if (total > MAX_BYTES) throw new Refusal("too_much_said", shown(heard.subarray(0, MAX_SHOWN)));
    const said: Buffer[] = [];
    move ??= script.next(Buffer.alloc(0));
    while (!move.done) {
      if ("say" in move.value) {
        said.push(Buffer.from(move.value.say));
        move = script.next(Buffer.alloc(0));
        continue;
      }
      const end = endOf(move.value, heard);
      if (end === -1) return { say: Buffer.concat(said), done: false };
      const part = heard.subarray(0, end);
      heard = heard.subarray(end);
      move = script.next(part);
    }
    if (heard.length > 0) throw new Refusal("said_more", shown(heard));
    return { say: Buffer.concat(said), done: true };
  };
}
