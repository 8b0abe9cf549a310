import { credentialParameters } from "@/lib/http/endpoint";

const NAMES = new RegExp(credentialParameters.join("|"), "i");

/**
 * A query string without the values of credentials. The same for every request to the API: a request with another method, to a
 * misspelled path or that cannot be parsed may have a valid one.
 */
export function hideCredentials(query: string): string {
  // Nearly all queries have neither a name nor a character of one that is escaped.
  if (!query.includes("%") && !NAMES.test(query)) return query;
  const hide = (pair: string) => {
    if (!pair.includes("%") && !NAMES.test(pair)) return pair;
    const [[name] = [""]] = [...new URLSearchParams(pair)];
    const isCredential = (credentialParameters as readonly string[]).includes(name.trim().toLowerCase());
    return isCredential ? `${pair.split("=", 1)[0]}=[hidden]` : pair;
  };
  return query.split("&").map(hide).join("&");
}
