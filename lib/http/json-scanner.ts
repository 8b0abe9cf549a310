import type { Issue } from "@/lib/http/errors";

/** Levels of arrays and objects within each other. */
export const MOST_DEPTH = 64;
/** Values in one body, those within arrays and objects and these themselves included; on bulk routes the larger. */
export const MOST_VALUES = 10_000;
export const MOST_BULK_VALUES = 100_000;
/** Different names of fields in one body. Hardly any contract has fifty; each new name costs the parser many times what a known one does. */
export const MOST_NAMES = 1_000;
/** Bytes of a name of a field, as it was sent, and of a number: the parser takes long for millions of digits. */
export const LONGEST_TOKEN = 1_000;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];

/**
 * Judges depth, number of values and of different names in JSON by its bytes, as they arrive and whatever the chunks, so that nothing is parsed that would
 * hold the process up. Of what is no JSON it says nothing of use: the parser stops there.
 */
export class JsonScanner {
  /** Of all values so far; names of fields are none. */
  values = 0;
  deepest = 0;
  private depth = 0;
  /** Per level that is open: whether it is an object. */
  private readonly objects = new Uint8Array(MOST_DEPTH + 1);
  private isInString = false;
  private isEscaped = false;
  private isInScalar = false;
  private expectsName = false;
  private isInName = false;
  /** Of the name that is being read, and of those before (FNV-1a, 32 bits). */
  private hash = 0;
  /** Bytes of the name or number that is being read. */
  private tokenBytes = 0;
  private isInNumber = false;
  private hasLongToken = false;
  private readonly names = new Set<number>();

  constructor(private readonly mostValues: number) {}

  /** What is wrong with the body so far; null while nothing is. */
  get issue(): Issue | null {
    if (this.deepest > MOST_DEPTH) {
      return { path: "body", message: `must not be nested more than ${MOST_DEPTH} levels deep` };
    }
    if (this.names.size > MOST_NAMES) {
      return { path: "body", message: `must have at most ${MOST_NAMES} different names of fields` };
    }
    if (this.hasLongToken) {
      return { path: "body", message: `must not have names of fields or numbers longer than ${LONGEST_TOKEN} bytes` };
    }
    if (this.values <= this.mostValues) return null;
    return { path: "body", message: `must have at most ${this.mostValues} values` };
  }

  /** Takes the next bytes. Those after the first issue are not looked at. */
  push(chunk: Uint8Array): void {
    if (this.issue !== null) return;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.endString();
        if (!this.isInName) continue;
        this.hash = Math.imul(this.hash ^ byte, 0x01000193);
        if (this.goOn()) return;
      } else if (!this.isInScalar || byte <= SPACE || !isWithinScalar(byte)) {
        this.isInScalar = false;
        if (byte <= SPACE) continue;
        this.begin(byte);
        if (this.deepest > MOST_DEPTH || this.values > this.mostValues || this.names.size > MOST_NAMES) return;
      } else if (this.isInNumber && this.goOn()) return;
    }
  }

  /** Another byte of a name or number; true when that is one too many. */
  private goOn(): boolean {
    this.hasLongToken = ++this.tokenBytes > LONGEST_TOKEN;
    return this.hasLongToken;
  }

  private begin(byte: number): void {
    if (byte === QUOTE) {
      this.isInString = true;
      this.isInName = this.expectsName;
      this.hash = 0x811c9dc5;
      this.tokenBytes = 0;
      if (!this.isInName) this.values++;
    } else if (byte === COMMA) {
      this.expectsName = this.objects[this.depth] === 1;
    } else if (byte === COLON) {
      this.expectsName = false;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      this.depth = Math.max(0, this.depth - 1);
      this.expectsName = false;
    } else {
      this.values++;
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.open(byte === OPEN_OBJECT);
      else this.beginScalar(byte);
    }
  }

  private beginScalar(byte: number): void {
    this.isInScalar = true;
    this.isInNumber = byte === MINUS || (byte >= ZERO && byte <= NINE);
    this.tokenBytes = 1;
  }

  private endString(): void {
    this.isInString = false;
    if (this.isInName) this.names.add(this.hash);
    this.isInName = false;
  }

  private open(isObject: boolean): void {
    this.depth++;
    this.deepest = Math.max(this.deepest, this.depth);
    this.objects[this.depth] = isObject ? 1 : 0;
    this.expectsName = isObject;
  }
}

/** Whether a byte goes on with a number, `true`, `false` or `null`. */
function isWithinScalar(byte: number): boolean {
  return (
    byte !== COMMA &&
    byte !== CLOSE_OBJECT &&
    byte !== CLOSE_ARRAY &&
    byte !== QUOTE &&
    byte !== COLON &&
    byte !== OPEN_ARRAY &&
    byte !== OPEN_OBJECT
  );
}
