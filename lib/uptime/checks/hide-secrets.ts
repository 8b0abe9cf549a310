import { toUSVString } from "node:util";
import { isSecretHeader, MASK, SEARCHED_BODY } from "@/lib/uptime/checks/evidence";
import type { CheckSettings, Outcome, SeenResponse } from "@/lib/uptime/checks/outcome";

/** A shorter text is found in anything. */
const LEAST_LENGTH = 4;

/** Headers that say what is sent and wanted. Any other may be a credential, whatever its name is. */
const HARMLESS = /^(accept.*|content-type|user-agent|cache-control|pragma|origin|referer)$/i;

/** How servers write double and single quotation marks in HTML. */
const HTML_QUOTES = [
  ['"', "'"],
  ["&quot;", "'"],
  ["&quot;", "&#39;"],
  ["&quot;", "&#039;"],
  ["&quot;", "&#x27;"],
  ["&#34;", "&#39;"],
] as const;

type Sent = Pick<CheckSettings, "headers" | "authentication">;

function htmlForms(text: string): string[] {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return HTML_QUOTES.map(([double, single]) => escaped.replaceAll('"', double).replaceAll("'", single));
}

/** A text as servers write it: as it is, and in JSON, URLs and HTML. */
function formsOf(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(toUSVString(text)), ...htmlForms(text)];
}

/** What `Basic …` stands for: the user with the password, and the password. */
function basicParts(value: string): string[] {
  const [, encoded] = /^\s*basic\s+(\S+)/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  return [pair, pair.slice(pair.indexOf(":") + 1)];
}

/** Texts that a server could send back and that nobody may read, the longest first. */
function secretTexts({ headers, authentication }: Sent): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => {
    return isSecretHeader(name) || !HARMLESS.test(name) ? [value, value.trim(), ...basicParts(value)] : [];
  });
  if (authentication.type === "bearer") values.push(authentication.token);
  if (authentication.type === "basic") {
    const { username, password } = authentication;
    values.push(password, Buffer.from(`${username}:${password}`).toString("base64"));
  }
  const texts = values.flatMap((value) => [value, value.slice(value.lastIndexOf(" ") + 1)]);
  const forms = texts.filter(({ length }) => length >= LEAST_LENGTH).flatMap(formsOf);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Where the beginning of a secret ends a text, which may have been cut there; its length if nowhere. */
function cutSecretAt(text: string, secret: string): number {
  const beginning = secret.slice(0, LEAST_LENGTH);
  const isCutAt = (at: number) => secret.startsWith(text.slice(at));
  let at = text.indexOf(beginning, Math.max(0, text.length - secret.length));
  while (at !== -1 && !isCutAt(at)) at = text.indexOf(beginning, at + 1);
  return at === -1 ? text.length : at;
}

/** A failed check's outcome without the secrets that the monitor sent: some servers answer with the request. */
export function withoutSecrets(outcome: Outcome, sent: Sent): Outcome {
  const secrets = secretTexts(sent);
  if (outcome.ok || secrets.length === 0) return outcome;
  const hide = (text: string) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
    const end = Math.min(...secrets.map((secret) => cutSecretAt(hidden, secret)));
    return end === hidden.length ? hidden : hidden.slice(0, end) + MASK;
  };
  const { detail, response } = outcome;
  return {
    ...outcome,
    detail: detail === null ? null : hide(detail),
    response: response ? hideInResponse(response, hide) : null,
  };
}

function hideInResponse({ headers, body }: SeenResponse, hide: (text: string) => string): SeenResponse {
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values?.map(hide)])),
    body: body === null ? null : Buffer.from(hide(body.toString("utf8", 0, SEARCHED_BODY))),
  };
}
