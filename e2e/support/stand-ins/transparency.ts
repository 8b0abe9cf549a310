import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A certificate as the searches return it. */
export interface Logged {
  names: string[];
  /** As Cert Spotter and crt.sh both write it: `C=US, O=Let's Encrypt, CN=R11`. */
  issuer: string;
  /** RFC 3339 without milliseconds. */
  not_before: string;
  not_after: string;
  revoked?: boolean;
}

/** How one of the searches answers for a domain. */
export interface Answers {
  logged?: Logged[];
  /** Issuances per page, for the search with pages. */
  pageSize?: number;
  /** The public search finds only the domain itself for `q=domain`, as old versions do; else also the names below it. */
  isExact?: boolean;
  /** Milliseconds before each response. */
  slow?: number;
  /** The first requests are answered 429 with `Retry-After` in seconds. */
  throttled?: { times: number; retryAfter: number };
  /** The body of every response. */
  raw?: { status: number; body: string };
  hangs?: boolean;
}

export interface Searches {
  search: Map<string, Answers>;
  publicSearch: Map<string, Answers>;
  /** The requested targets, in order. */
  asked: string[];
  /** The token that the search requires; if null, it accepts any or none. */
  token: string | null;
}

export function newSearches(token: string | null = null): Searches {
  return { search: new Map(), publicSearch: new Map(), asked: [], token };
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Applies delay, throttling and fixed bodies. Returns true if the response is complete. */
async function isDone(answers: Answers | undefined, response: ServerResponse): Promise<boolean> {
  if (answers?.hangs) return true;
  if (answers?.slow) await delay(answers.slow);
  if (answers?.throttled && answers.throttled.times-- > 0) {
    const headers = { "retry-after": String(answers.throttled.retryAfter) };
    json(response, 429, { code: "rate_limited", message: "You have exceeded the rate limit." }, headers);
    return true;
  }
  if (answers?.raw === undefined) return false;
  response.writeHead(answers.raw.status, { "content-type": "text/html" }).end(answers.raw.body);
  return true;
}

/** Cert Spotter's `GET /v1/issuances` (sslmate.com/help/reference/ct_search_api_v1): pages by `after`; the last page is empty. */
async function search(searches: Searches, request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
  const { token } = searches;
  if (token !== null && request.headers.authorization !== `Bearer ${token}`) {
    return json(response, 401, { code: "unauthorized", message: "The token is invalid." });
  }
  const domain = url.searchParams.get("domain") ?? "";
  const expand = url.searchParams.getAll("expand");
  if (domain === "" || url.searchParams.get("include_subdomains") !== "true") {
    return json(response, 400, { code: "invalid_parameters", message: "domain is required." });
  }
  const answers = searches.search.get(domain);
  if (await isDone(answers, response)) return;
  const after = Number(url.searchParams.get("after") ?? 0);
  const page = (answers?.logged ?? [])
    .map((logged, index) => ({ logged, id: index + 1 }))
    .filter(({ id }) => id > after)
    .slice(0, answers?.pageSize ?? 100);
  const issuances = page.map(({ logged, id }) => ({
    id: String(id),
    tbs_sha256: String(id).padStart(64, "0"),
    pubkey_sha256: "0".repeat(64),
    ...(expand.includes("dns_names") && { dns_names: logged.names }),
    ...(expand.includes("issuer") && { issuer: { friendly_name: "Example", name: logged.issuer } }),
    not_before: logged.not_before,
    not_after: logged.not_after,
    revoked: logged.revoked ?? false,
  }));
  json(response, 200, issuances);
}

/**
 * crt.sh's `?q=domain&output=json` and `?q=%.domain&output=json`: one page, the names that match in lines, times without a zone,
 * precertificates next to certificates.
 */
async function publicSearch(searches: Searches, url: URL, response: ServerResponse): Promise<void> {
  const q = url.searchParams.get("q") ?? "";
  const domain = q.replace(/^%\./, "");
  const answers = searches.publicSearch.get(domain);
  if (await isDone(answers, response)) return;
  const isBelow = (name: string) => name.endsWith(`.${domain}`);
  const matches = (name: string) =>
    q === domain ? name === domain || (!answers?.isExact && isBelow(name)) : isBelow(name);
  const rows = (answers?.logged ?? []).flatMap(({ names, issuer, not_before, not_after }, index) =>
    (names.some(matches) ? [0, 1] : []).map((entry) => ({
      issuer_ca_id: 1,
      issuer_name: issuer,
      common_name: names[0],
      name_value: names.filter(matches).join("\n"),
      id: index * 2 + entry + 1,
      entry_timestamp: `${not_before.replace("Z", "")}.123`,
      not_before: not_before.replace("Z", ""),
      not_after: not_after.replace("Z", ""),
      serial_number: String(index),
    })),
  );
  json(response, 200, rows);
}

/** Starts both searches on loopback: `/v1/issuances` and `/public`. `control` handles all other requests. */
export async function startSearches(
  searches: Searches,
  control?: (request: IncomingMessage, url: URL, response: ServerResponse) => Promise<void>,
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/v1/issuances" || url.pathname === "/public") searches.asked.push(request.url ?? "");
    if (url.pathname === "/v1/issuances") return search(searches, request, url, response);
    if (url.pathname === "/public") return publicSearch(searches, url, response);
    if (control !== undefined) return control(request, url, response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close().closeAllConnections(),
  };
}
