/** One step of a path: a member's name, an element's index (from the end if negative), or all members and elements. */
export type Step = string | number | { all: true };

const MAX_STEPS = 20;
/** Maximum number of values that any step of a path may select. */
export const MAX_VALUES = 1_000;
const NAME = /^\.([\p{L}_$][\p{L}\p{N}_$-]*)/u;
const INDEX = /^\[(-?(?:0|[1-9]\d{0,6}))\]/;
const QUOTED = /^\[(?:'([^'\\]*)'|"([^"\\]*)")\]/;
const WILDCARD = /^(?:\.\*|\[\*\])/;

/**
 * Parses a path of RFC 9535 that has only names, indices and wildcards: `$.items[0]['a b'].*`. Filters, slices and descendants are
 * missing, because their cost has no small bound. Throws an Error whose message is a predicate.
 */
export function parseJsonPath(text: string): Step[] {
  if (!text.startsWith("$")) throw new Error("must begin with $");
  const steps: Step[] = [];
  for (let rest = text.slice(1); rest !== ""; ) {
    const found = [WILDCARD, NAME, INDEX, QUOTED].map((form) => form.exec(rest)).find((match) => match !== null);
    if (!found) throw new Error(`has an unknown step at "${rest.slice(0, 20)}": use .name, ['name'], [0] and [*]`);
    if (steps.length === MAX_STEPS) throw new Error(`must have at most ${MAX_STEPS} steps`);
    steps.push(stepOf(found));
    rest = rest.slice(found[0].length);
  }
  return steps;
}

function stepOf([step, first, second]: RegExpExecArray): Step {
  if (first === undefined && second === undefined) return { all: true };
  const name = first ?? second ?? "";
  return /^\[[-\d]/.test(step) ? Number(name) : name;
}

/** The values at a path; none if it leads nowhere, null if one of its steps leads to more than MAX_VALUES. */
export function valuesAt(document: unknown, steps: readonly Step[]): unknown[] | null {
  let values = [document];
  for (const step of steps) {
    const found: unknown[] = [];
    for (const value of values) {
      const more = next(value, step);
      if (found.length + more.length > MAX_VALUES) return null;
      found.push(...more);
    }
    values = found;
  }
  return values;
}

function next(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (typeof step === "object") return Array.isArray(value) ? value : Object.values(value);
  if (typeof step === "number")
    return Array.isArray(value) && step >= -value.length ? value.slice(step).slice(0, 1) : [];
  return !Array.isArray(value) && Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
}
