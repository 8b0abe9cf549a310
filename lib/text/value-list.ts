/** A value of a list such as `a,!b`, and the text it was written as. */
interface ListedValue {
  value: string;
  isExcluded: boolean;
  written: string;
}

/** Splits `a,!b` at its commas. `\` before a comma, an exclamation mark or another `\` makes that character part of a value. */
export function splitValues(text: string): ListedValue[] {
  const parts = [""];
  for (const [piece] of text.matchAll(/\\[\\,!]|./gsu)) {
    if (piece === ",") parts.push("");
    else parts.push(`${parts.pop() ?? ""}${piece}`);
  }
  return parts.map((part) => {
    const written = part.trim();
    const isExcluded = written.startsWith("!");
    const value = (isExcluded ? written.slice(1) : written).replace(/\\([\\,!])/g, "$1");
    return { value, isExcluded, written };
  });
}

/** A value as `splitValues` reads it; `isExcluded` puts `!` before it. */
export function writeValue(value: string, isExcluded: boolean): string {
  return `${isExcluded ? "!" : ""}${value.replace(/\\(?=[\\,!]|$)|,|^!/g, "\\$&")}`;
}
