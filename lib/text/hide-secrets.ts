import { toUSVString } from "node:util";

/** Characters of the beginning by which a cut secret is found; a shorter text is found in anything. */
const MIN_LENGTH = 4;

/** How servers write double and single quotation marks in HTML. */
const HTML_QUOTES = [
  ['"', "'"],
  ["&quot;", "'"],
  ["&quot;", "&#39;"],
  ["&quot;", "&#039;"],
  ["&quot;", "&#x27;"],
  ["&#34;", "&#39;"],
] as const;

function htmlForms(text: string): string[] {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return HTML_QUOTES.map(([double, single]) => escaped.replaceAll('"', double).replaceAll("'", single));
}

/** A text as servers write it: as it is, and in JSON, URLs and HTML. */
function formsOf(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(toUSVString(text)), ...htmlForms(text)];
}

/** Where the beginning of a secret ends a text, which may have been cut there; its length if nowhere. */
function cutSecretAt(text: string, secret: string): number {
  const beginning = secret.slice(0, MIN_LENGTH);
  const isCutAt = (at: number) => secret.startsWith(text.slice(at));
  let at = text.indexOf(beginning, Math.max(0, text.length - secret.length));
  while (at !== -1 && !isCutAt(at)) at = text.indexOf(beginning, at + 1);
  return at === -1 ? text.length : at;
}

/**
 * Replaces secrets in the texts of others, who may send back what they were sent: as they are, and as JSON, URLs and HTML have them. Of
 * a secret at which a text was cut, the beginning is replaced too. Shorter secrets than `least` are not replaced.
 */
export function secretsHider(
  secrets: readonly string[],
  mask: string,
  least: number = MIN_LENGTH,
): (text: string) => string {
  const forms = [...new Set(secrets.filter(({ length }) => length >= least).flatMap(formsOf))];
  forms.sort((a, b) => b.length - a.length);
  return (text) => {
    const hidden = forms.reduce((rest, form) => rest.replaceAll(form, mask), text);
    const end = Math.min(hidden.length, ...forms.map((form) => cutSecretAt(hidden, form)));
    return end === hidden.length ? hidden : hidden.slice(0, end) + mask;
  };
}
