import { credentialParameters } from "@/lib/http/endpoint";

const NAMES = new RegExp(credentialParameters.join("|"), "i");

/**
 * A query string without the values of credentials. The same for every request to the API: a request with another method, to a
 * misspelled path or that cannot be parsed may have a valid one.
 */
export function hideCredentials(query: string): string {
  // Fast path: nearly all queries have neither such a name nor an escaped character of one.
  if (!query.includes("%") && !NAMES.test(query)) return query;
  const hide = (pair: string) => {
    if (!pair.includes("%") && !NAMES.test(pair)) return pair;
    const [[name] = [""]] = [...new URLSearchParams(pair)];
    const isCredential = (credentialParameters as readonly string[]).includes(name.trim().toLowerCase());
    return isCredential ? `${pair.split("=", 1)[0]}=[hidden]` : pair;
  };
  return query.split("&").map(hide).join("&");
}
