import { z } from "zod";
import { type AnswerLimits, askJson } from "@/lib/subdomains/sources/ask-json";
import { toFound } from "@/lib/subdomains/sources/issued";
import { type Source, SourceFailed } from "@/lib/subdomains/sources/source";

const ANSWER_LIMITS: AnswerLimits = { deadlineMs: 30_000, maxBytes: 16 * 2 ** 20 };
/** More than any domain has: a search that never ends is broken. */
const MAX_PAGES = 20_000;

const issuances = z.array(
  z.object({
    id: z.string().min(1).max(200),
    dns_names: z.array(z.string()),
    issuer: z.object({ name: z.string() }),
    not_before: z.iso.datetime({ offset: true }),
    not_after: z.iso.datetime({ offset: true }),
    revoked: z.boolean().nullish(),
  }),
);

/**
 * A search that speaks as Cert Spotter's does (sslmate.com/help/reference/ct_search_api_v1): pages by `after`, of which the last is empty,
 * so that each run asks for nothing but what was logged since.
 */
export function ctSearch(url: string, token: string | undefined, patience: AnswerLimits = ANSWER_LIMITS): Source {
  return async function* (asked) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    let place = asked.place;
    for (let page = 0; page < MAX_PAGES; page++) {
      const parameters = [
        ["domain", asked.domain],
        ["include_subdomains", "true"],
        ["expand", "dns_names"],
        ["expand", "issuer"],
        ...(place === null ? [] : [["after", place]]),
      ];
      const target = new URL(`?${new URLSearchParams(parameters as [string, string][])}`, url);
      const parsed = issuances.safeParse(await askJson(target, asked, headers, patience));
      if (!parsed.success) throw new SourceFailed("it answered with something else than issuances");
      const last = parsed.data.at(-1)?.id;
      if (last === undefined) return;
      if (last === place) throw new SourceFailed("it answers with the same page again and again");
      place = last;
      const told = parsed.data.map(({ dns_names, issuer, not_before, not_after, revoked }) => ({
        names: dns_names,
        issuer: issuer.name,
        notBefore: new Date(not_before),
        notAfter: new Date(not_after),
        revoked: revoked ?? null,
      }));
      yield toFound(asked.domain, told, place);
    }
    throw new SourceFailed("it never comes to an end");
  };
}
