/** A label within a sentence: `Weak key` becomes `weak key`, while `DNS lookup failed` keeps its capitals. */
export function inSentence(label: string): string {
  return /^\p{Lu}(?:\p{Ll}|\s)/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** `renewals` as the heading `Renewals`. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The labels of a table's codes, for the description of a field: `` `up`: Up; `down`: Down. `` */
export function labelList(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).map(([code, label]) => `\`${code}\`: ${label}`);
  return `${entries.join("; ")}.`;
}

/** A sentence to continue, without its final period. */
export function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
