import * as z from "zod";
import { toFound } from "@/lib/subdomains/sources/issued";
import { type ResponseLimits, requestJson } from "@/lib/subdomains/sources/request-json";
import { type Source, SourceFailed } from "@/lib/subdomains/sources/source";

const DEFAULT_LIMITS: ResponseLimits = { deadlineMs: 30_000, maxBytes: 16 * 2 ** 20 };
/** More than any domain has, to stop a broken search that never ends. */
const MAX_PAGES = 20_000;

const issuances = z.array(
  z.object({
    id: z.string().min(1).max(200),
    dns_names: z.array(z.string()),
    issuer: z.object({ name: z.string() }),
    not_before: z.iso.datetime({ offset: true }),
    not_after: z.iso.datetime({ offset: true }),
    revoked: z.boolean().nullish(),
    pubkey_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .nullish(),
  }),
);

/**
 * A search with the interface of Cert Spotter (sslmate.com/help/reference/ct_search_api_v1): pages by `after` until an empty page,
 * so that each run requests only certificates logged since the last run.
 */
export function ctSearch(url: string, token: string | undefined, limits: ResponseLimits = DEFAULT_LIMITS): Source {
  return async function* (query) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    let place = query.place;
    for (let page = 0; page < MAX_PAGES; page++) {
      const parameters = [
        ["domain", query.domain],
        ["include_subdomains", "true"],
        ["expand", "dns_names"],
        ["expand", "issuer"],
        ...(place === null ? [] : [["after", place]]),
      ];
      const target = new URL(`?${new URLSearchParams(parameters as [string, string][])}`, url);
      const parsed = issuances.safeParse(await requestJson(target, query, headers, limits));
      if (!parsed.success) throw new SourceFailed("the response is not a list of certificates");
      const last = parsed.data.at(-1)?.id;
      if (last === undefined) return;
      if (last === place) throw new SourceFailed("it returned the same page repeatedly");
      place = last;
      const logged = parsed.data.map(({ dns_names, issuer, not_before, not_after, revoked, pubkey_sha256 }) => ({
        names: dns_names,
        issuer: issuer.name,
        notBefore: new Date(not_before),
        notAfter: new Date(not_after),
        revoked: revoked ?? null,
        publicKeySha256: pubkey_sha256?.toLowerCase() ?? null,
      }));
      yield toFound(query.domain, logged, place);
    }
    throw new SourceFailed("it returned too many pages");
  };
}
