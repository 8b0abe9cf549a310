import type { Issue } from "@/lib/http/errors";

/** Maximum depth of nested arrays and objects. */
export const MAX_DEPTH = 64;
/** Maximum values in one body, including arrays, objects and the values in them; bulk routes have the larger limit. */
export const MAX_VALUES = 10_000;
export const MAX_BULK_VALUES = 100_000;
/** Maximum different field names in one body. Few contracts have fifty; parsing a new name takes many times as long as a known one. */
const MAX_NAMES = 1_000;
/** Maximum different orders of fields, counting each prefix: the parser keeps an object class for each. Programs usually write one order. */
const MAX_ORDERS = 30_000;
/** Maximum bytes of a field name as sent. */
const LONGEST_NAME = 1_000;
/** Maximum numbers in one body, and bytes of one number: parsing eighty digits takes a microsecond, and millions of digits take seconds. */
const MAX_NUMBERS = 10_000;
const LONGEST_NUMBER = 100;
/** Maximum escapes in all strings of one body: each takes several times as long as a plain byte. 10 MiB of `\u0041` are within the limit. */
const MAX_ESCAPES = 2_000_000;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];

/** Constants of 32-bit FNV-1a. */
const [HASH_START, HASH_PRIME] = [0x811c9dc5, 0x01000193];

/**
 * Checks JSON by its bytes as they arrive, in any chunks, so that the process never parses input that would block it. The result
 * for invalid JSON is meaningless: the parser refuses it.
 */
export class JsonScanner {
  /** The first problem with the body so far, or null. */
  issue: Issue | null = null;
  /** Number of values so far, without field names. */
  values = 0;
  deepest = 0;
  private depth = 0;
  /** For each open level: whether it is an object, the hash of its field names so far, and its number among all that were opened. */
  private readonly objects = new Uint8Array(MAX_DEPTH + 1);
  private readonly orders = new Int32Array(MAX_DEPTH + 1);
  private readonly serials = new Int32Array(MAX_DEPTH + 1);
  private opened = 0;
  /** For each level: the number of the last object that has a field, by the number of its name. */
  private readonly holders: Int32Array[] = [];
  private isInString = false;
  private isEscaped = false;
  private isInScalar = false;
  private expectsName = false;
  private isInName = false;
  private isInNumber = false;
  /** Hash of the current field name. */
  private hash = 0;
  /** Bytes of the current field name or number. */
  private tokenBytes = 0;
  private readonly nameBytes = Buffer.allocUnsafe(LONGEST_NAME);
  private isNameEscaped = false;
  private escapes = 0;
  private numbers = 0;
  /** Numbers of field names as sent, whose bytes are the characters, and of names. */
  private readonly sentNames = new Map<string, number>();
  private readonly names = new Map<string, number>();
  private readonly seenOrders = new Set<number>();

  constructor(private readonly mostValues: number) {}

  /** Scans the next bytes. Bytes after the first issue are ignored. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.issue === null; at++) {
      const byte = chunk[at] ?? 0;
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.beginEscape();
        else if (byte === QUOTE) this.endString();
        if (!this.isInName) continue;
        this.hash = Math.imul(this.hash ^ byte, HASH_PRIME);
        this.nameBytes[this.tokenBytes] = byte;
        if (++this.tokenBytes > LONGEST_NAME)
          this.refuse(`must not have field names longer than ${LONGEST_NAME} bytes`);
      } else if (!this.isInScalar || byte <= SPACE || !isWithinScalar(byte)) {
        this.isInScalar = false;
        if (byte > SPACE) this.begin(byte);
      } else if (this.isInNumber && ++this.tokenBytes > LONGEST_NUMBER) {
        this.refuse(`must not have numbers longer than ${LONGEST_NUMBER} bytes`);
      }
    }
  }

  private refuse(message: string, path = "body"): void {
    this.issue ??= { path, message };
  }

  private begin(byte: number): void {
    if (byte === QUOTE) {
      this.isInString = true;
      this.isInName = this.expectsName;
      this.hash = HASH_START;
      this.tokenBytes = 0;
      this.isNameEscaped = false;
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
    this.isNameEscaped = true;
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
    this.refuseRepeated();
    if (this.seenOrders.add(order).size > MAX_ORDERS)
      this.refuse("must have the fields of all items in the same order");
  }

  /** The parser would keep only the last of two fields with the same name. Takes the same time for every object. */
  private refuseRepeated(): void {
    const sent = this.nameBytes.toString("latin1", 0, this.tokenBytes);
    const known = this.sentNames.get(sent);
    if (known === undefined && this.sentNames.size === MAX_NAMES) {
      this.refuse(`must have at most ${MAX_NAMES} different field names`);
      return;
    }
    const name = known ?? this.numberOf(sent);
    this.holders[this.depth] ??= new Int32Array(MAX_NAMES);
    const holders = this.holders[this.depth] as Int32Array;
    const serial = this.serials[this.depth] ?? 0;
    if (holders[name] === serial) this.refuse("is given more than once in one object", this.currentName());
    holders[name] = serial;
  }

  private numberOf(sent: string): number {
    const name = this.currentName();
    const number = this.names.get(name) ?? this.names.size;
    this.names.set(name, number);
    this.sentNames.set(sent, number);
    return number;
  }

  /** The current field name without escapes. */
  private currentName(): string {
    const text = this.nameBytes.toString("utf8", 0, this.tokenBytes);
    if (!this.isNameEscaped) return text;
    try {
      return JSON.parse(`"${text}"`);
    } catch {
      return text;
    }
  }

  private open(isObject: boolean): void {
    this.depth++;
    this.deepest = Math.max(this.deepest, this.depth);
    this.objects[this.depth] = isObject ? 1 : 0;
    this.orders[this.depth] = HASH_START;
    this.serials[this.depth] = ++this.opened;
    this.expectsName = isObject;
    if (this.depth > MAX_DEPTH) this.refuse(`must not be nested more than ${MAX_DEPTH} levels deep`);
  }
}

/** Whether a byte continues a number, `true`, `false` or `null`. */
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
