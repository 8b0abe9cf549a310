import { credentialParameters } from "@/lib/http/endpoint";

/**
 * A query string without the values of credentials. The same for every request to the API: a request with another method, to a
 * misspelled path or that cannot be parsed may have a valid one.
 */
export function hideCredentials(query: string): string {
  const hide = (pair: string) => {
    const [[name] = [""]] = [...new URLSearchParams(pair)];
    const isCredential = (credentialParameters as readonly string[]).includes(name.trim().toLowerCase());
    return isCredential ? `${pair.split("=", 1)[0]}=[hidden]` : pair;
  };
  return query.split("&").map(hide).join("&");
}
