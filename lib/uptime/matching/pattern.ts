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
export function matches(pattern: string, body: Buffer): boolean {
  return compilePattern(pattern)
    .matcher(body.toString("utf8", 0, MATCHED_LENGTH))
    .find();
}
