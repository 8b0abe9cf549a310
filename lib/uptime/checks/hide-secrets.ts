import { secretsHider } from "@/lib/text/hide-secrets";
import { isSecretHeader, MASK, SEARCHED_BODY } from "@/lib/uptime/checks/evidence";
import type { CheckSettings, Outcome, SeenResponse } from "@/lib/uptime/checks/outcome";

/** Headers that say what is sent and wanted. Any other may be a credential, whatever its name is. */
const HARMLESS = /^(accept.*|content-type|user-agent|cache-control|pragma|origin|referer)$/i;

type Sent = Pick<CheckSettings, "headers" | "authentication">;

/** What `Basic …` stands for: the user with the password, and the password. */
function basicParts(value: string): string[] {
  const [, encoded] = /^\s*basic\s+(\S+)/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  return [pair, pair.slice(pair.indexOf(":") + 1)];
}

/** Texts that a server could send back and that nobody may read. */
function secretTexts({ headers, authentication }: Sent): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => {
    return isSecretHeader(name) || !HARMLESS.test(name) ? [value, value.trim(), ...basicParts(value)] : [];
  });
  if (authentication.type === "bearer") values.push(authentication.token);
  if (authentication.type === "basic") {
    const { username, password } = authentication;
    values.push(password, Buffer.from(`${username}:${password}`).toString("base64"));
  }
  return values.flatMap((value) => [value, value.slice(value.lastIndexOf(" ") + 1)]);
}

/** A failed check's outcome without the secrets that the monitor sent: some servers answer with the request. */
export function withoutSecrets(outcome: Outcome, sent: Sent): Outcome {
  const secrets = secretTexts(sent);
  if (outcome.ok || secrets.length === 0) return outcome;
  const hide = secretsHider(secrets, MASK);
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
