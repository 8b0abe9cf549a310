import { dayName } from "@/components/time/time-format";
import type { OldSecretUse } from "@/lib/api-keys/old-secrets/contract";
import { isStranger, type Standing } from "@/lib/audit-logs/standing";
import { plural } from "@/lib/text/counts";

/** The page about the attempts with a key's old secrets. */
export function oldSecretsHref(apiKeyId: string): string {
  return `/api-keys/${apiKeyId}/old-secrets`;
}

/** Whether attempts with this flag belong to that page. */
export function isOfOldSecret(flag: string): flag is "rotated_secret" | "revoked_key" {
  return flag === "rotated_secret" || flag === "revoked_key";
}

/** What to do about an attempt with an old secret or a revoked key, by what is known of its address. */
export function standingAdvice(isRevoked: boolean, standing: Standing): string {
  switch (standing) {
    case "known":
      return `The address used the key before: ${isRevoked ? "remove the key there" : "deploy the new secret there"}.`;
    case "recent":
      return "The address began to use the key shortly before. If you do not recognize it, the secret has leaked: block and report the address.";
    case "unknown":
      return "The address never used the key successfully, so the secret has leaked: block and report the address.";
  }
}

/** The answer of the page in one or two sentences. */
export function useSentence(
  { state, since, has_earlier, attempts, stranger_count, address_count, handled }: OldSecretUse,
  name: string,
  isRevoked: boolean,
): string {
  if (state === "none") {
    const range = has_earlier ? `since ${dayName(since)} (UTC)` : "in the last 90 days";
    return `No attempt with an old secret of ${name} was recorded ${range}.`;
  }
  const tried = `${plural(attempts, "attempt")}, every one refused`;
  const of = isRevoked ? `the revoked key ${name}` : `an old secret of ${name}`;
  const who = whoWords(stranger_count, address_count);
  const end =
    state === "handled"
      ? " Handled; a new unrecognized address reopens it."
      : handled === null
        ? ""
        : " A new unrecognized address reopened it.";
  return `${who} tried ${of}: ${tried}.${end}`;
}

function whoWords(strangers: number, addresses: number): string {
  const own = addresses - strangers;
  const ownWords = `${plural(own, "address", "addresses")} of your own`;
  if (strangers === 0) return ownWords;
  const strangerWords = plural(strangers, "unrecognized address", "unrecognized addresses");
  return own === 0 ? strangerWords : `${strangerWords} and ${ownWords}`;
}

/** The whitelist that allows the addresses with successful requests that are not unrecognized. At most 100 entries. */
export function suggestedWhitelist(
  seen: readonly { ip_address: string | null; known_since: string | null }[],
  { addresses }: Pick<OldSecretUse, "addresses">,
): string[] {
  const strangers = new Set(addresses.flatMap((each) => (isStranger(each.standing) ? each.ip_address : [])));
  return seen
    .flatMap(({ ip_address, known_since }) => (ip_address !== null && known_since !== null ? ip_address : []))
    .filter((address) => !strangers.has(address))
    .slice(0, 100);
}
