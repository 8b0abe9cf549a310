import type { Issue } from "@/lib/http/errors";

/** Levels of arrays and objects within each other. */
export const MAX_DEPTH = 64;
/** Values in one body, those within arrays and objects and these themselves included; on bulk routes the larger. */
export const MAX_VALUES = 10_000;
export const MAX_BULK_VALUES = 100_000;
/** Different names of fields in one body. Hardly any contract has fifty; each new name costs the parser many times what a known one does. */
export const MAX_NAMES = 1_000;
/** Different orders of fields, each beginning of an object being one: the parser keeps a class of objects for each. Programs write one order. */
export const MAX_ORDERS = 30_000;
/** Bytes of a name of a field, as it was sent. */
export const LONGEST_NAME = 1_000;
/** Numbers in one body, and bytes of one: some of eighty digits take the parser a microsecond each, and millions of digits seconds. */
export const MAX_NUMBERS = 10_000;
export const LONGEST_NUMBER = 100;
/** Escapes in all strings of one body: each costs the parser several times what a plain byte does. 10 MiB of `\u0041` are within. */
export const MAX_ESCAPES = 2_000_000;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];

/** Of FNV-1a with 32 bits. */
const [HASH_START, HASH_PRIME] = [0x811c9dc5, 0x01000193];

/**
 * Judges JSON by its bytes, as they arrive and whatever the chunks, so that nothing is parsed that would hold the process up. Of what is
 * no JSON it says nothing of use: the parser stops there.
 */
export class JsonScanner {
  /** What is wrong with the body so far; null while nothing is. */
  issue: Issue | null = null;
  /** Of all values so far; names of fields are none. */
  values = 0;
  deepest = 0;
  private depth = 0;
  /** Per level that is open: whether it is an object, and the hash of its names so far. */
  private readonly objects = new Uint8Array(MAX_DEPTH + 1);
  private readonly orders = new Int32Array(MAX_DEPTH + 1);
  private isInString = false;
  private isEscaped = false;
  private isInScalar = false;
  private expectsName = false;
  private isInName = false;
  private isInNumber = false;
  /** Of the name that is being read. */
  private hash = 0;
  /** Bytes of the name or number that is being read. */
  private tokenBytes = 0;
  private escapes = 0;
  private numbers = 0;
  private readonly seenNames = new Set<number>();
  private readonly seenOrders = new Set<number>();

  constructor(private readonly mostValues: number) {}

  /** Takes the next bytes. Those after the first issue are not looked at. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.issue === null; at++) {
      const byte = chunk[at] ?? 0;
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.beginEscape();
        else if (byte === QUOTE) this.endString();
        if (!this.isInName) continue;
        this.hash = Math.imul(this.hash ^ byte, HASH_PRIME);
        if (++this.tokenBytes > LONGEST_NAME)
          this.refuse(`must not have names of fields longer than ${LONGEST_NAME} bytes`);
      } else if (!this.isInScalar || byte <= SPACE || !isWithinScalar(byte)) {
        this.isInScalar = false;
        if (byte > SPACE) this.begin(byte);
      } else if (this.isInNumber && ++this.tokenBytes > LONGEST_NUMBER) {
        this.refuse(`must not have numbers longer than ${LONGEST_NUMBER} bytes`);
      }
    }
  }

  private refuse(message: string): void {
    this.issue ??= { path: "body", message };
  }

  private begin(byte: number): void {
    if (byte === QUOTE) {
      this.isInString = true;
      this.isInName = this.expectsName;
      this.hash = HASH_START;
      this.tokenBytes = 0;
      if (!this.isInName) this.countValue();
    } else if (byte === COMMA) {
      this.expectsName = this.objects[this.depth] === 1;
    } else if (byte === COLON) {
      this.expectsName = false;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      this.depth = Math.max(0, this.depth - 1);
      this.expectsName = false;
    } else {
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.open(byte === OPEN_OBJECT);
      else this.beginScalar(byte);
      this.countValue();
    }
  }

  private countValue(): void {
    if (++this.values > this.mostValues) this.refuse(`must have at most ${this.mostValues} values`);
  }

  private beginScalar(byte: number): void {
    this.isInScalar = true;
    this.isInNumber = byte === MINUS || (byte >= ZERO && byte <= NINE);
    this.tokenBytes = 1;
    if (this.isInNumber && ++this.numbers > MAX_NUMBERS) this.refuse(`must have at most ${MAX_NUMBERS} numbers`);
  }

  private beginEscape(): void {
    this.isEscaped = true;
    if (++this.escapes > MAX_ESCAPES) this.refuse(`must have at most ${MAX_ESCAPES} escaped characters`);
  }

  private endString(): void {
    this.isInString = false;
    if (this.isInName) this.endName();
    this.isInName = false;
  }

  private endName(): void {
    const order = Math.imul((this.orders[this.depth] ?? 0) ^ this.hash, HASH_PRIME);
    this.orders[this.depth] = order;
    if (this.seenNames.add(this.hash).size > MAX_NAMES) {
      this.refuse(`must have at most ${MAX_NAMES} different names of fields`);
    }
    if (this.seenOrders.add(order).size > MAX_ORDERS)
      this.refuse("must have the fields of all items in the same order");
  }

  private open(isObject: boolean): void {
    this.depth++;
    this.deepest = Math.max(this.deepest, this.depth);
    this.objects[this.depth] = isObject ? 1 : 0;
    this.orders[this.depth] = HASH_START;
    this.expectsName = isObject;
    if (this.depth > MAX_DEPTH) this.refuse(`must not be nested more than ${MAX_DEPTH} levels deep`);
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
