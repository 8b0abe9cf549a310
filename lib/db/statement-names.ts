/** Statements that occurred this often get a name. */
const USES = 5;
/** Each connection keeps the parsed form of named statements, so they are few. */
const MAX_NAMES = 200;
/** Texts that are counted at a time: those of lists differ by their length. */
const MAX_COUNTED = 2_000;

const PREFIX = "statement-";

/** Whether a name says nothing of its statement, because it is from `statementNames`. */
export function isNumbered(name: string): boolean {
  return name === "" || name.startsWith(PREFIX);
}

/**
 * Names for the statements that a process sends often, so that each connection parses and plans them once. Rare statements and those
 * beyond a limit get the empty name, which the driver does not keep.
 */
export function statementNames(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MAX_NAMES) return "";
    const count = (uses.get(sql) ?? 0) + 1;
    if (count < USES) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(sql, count);
      return "";
    }
    uses.delete(sql);
    const name = `${PREFIX}${names.size}`;
    names.set(sql, name);
    return name;
  };
}
