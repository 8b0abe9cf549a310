import { RE2JS } from "re2js";

/** Bytes of a body that a pattern is matched against. */
export const MATCHED_LENGTH = 16 * 1024;
/** Steps of a compiled pattern. Matching takes up to 50 ns per step and character, and nothing else runs meanwhile. */
const MAX_STEPS = 64;

/** Compiles a pattern in RE2 syntax. Throws an Error whose message is a predicate. */
export function compilePattern(pattern: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    const [, why = "invalid"] = /^error parsing regexp: (.*)$/s.exec((error as Error).message) ?? [];
    throw new Error(`is not a regular expression of RE2: ${why}`);
  }
  const steps = compiled.programSize();
  if (steps > MAX_STEPS) throw new Error(`is too complex: it has ${steps} steps, and at most ${MAX_STEPS} are allowed`);
  return compiled;
}

/** Whether a pattern matches in the first `MATCHED_LENGTH` bytes of a body, in linear time. */
export function matches(pattern: RE2JS, body: Buffer): boolean {
  return pattern.matcher(body.toString("utf8", 0, MATCHED_LENGTH)).find();
}

/**
 * Whether a pattern matches in what has arrived so far. It is matched after each part until twice as many bytes as can arrive have
 * been matched, so what comes in one or two parts is recognized at once. Then it is matched when the length has doubled, and at the
 * end: together less than five times as many bytes as can arrive.
 */
export class ArrivingMatch {
  readonly #pattern: RE2JS;
  /** Bytes that may still be matched after each part. */
  #left: number;
  /** Of what was matched last; -1 if nothing was. */
  #matchedLength = -1;
  #isFound = false;

  /** `mostBytes` can arrive. */
  constructor(pattern: string, mostBytes: number) {
    this.#pattern = compilePattern(pattern);
    this.#left = 2 * mostBytes;
  }

  /** Whether it matches in all that has arrived; before the end false, too, if that would be matched too often. */
  isIn(received: Buffer, isEnd: boolean): boolean {
    const { length } = received;
    const isNew = length > this.#matchedLength;
    const isDue = isEnd || length <= this.#left || length >= 2 * this.#matchedLength;
    if (this.#isFound || !isNew || !isDue) return this.#isFound;
    this.#left -= length;
    this.#matchedLength = length;
    this.#isFound = matches(this.#pattern, received);
    return this.#isFound;
  }
}
