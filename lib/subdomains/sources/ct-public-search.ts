import * as z from "zod";
import { type SearchResult, toFound } from "@/lib/subdomains/sources/issued";
import { type ResponseLimits, requestJson } from "@/lib/subdomains/sources/request-json";
import { type Source, SourceFailed } from "@/lib/subdomains/sources/source";

/** The search is slow and returns everything in one response. */
const DEFAULT_LIMITS: ResponseLimits = { deadlineMs: 90_000, maxBytes: 64 * 2 ** 20 };
const BATCH_SIZE = 2_000;

/** Times have no zone and are UTC. */
const utc = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/)
  .transform((text) => new Date(`${text}Z`))
  .refine((date) => !Number.isNaN(date.getTime()));

const rows = z.array(
  z.object({ issuer_name: z.string(), name_value: z.string(), not_before: utc, not_after: utc }).transform(
    ({ issuer_name, name_value, not_before, not_after }): SearchResult => ({
      names: name_value.split("\n"),
      issuer: issuer_name,
      notBefore: not_before,
      notAfter: not_after,
      revoked: null,
      publicKeySha256: null,
    }),
  ),
);

/** A public search with the interface of crt.sh (`?q=%.domain&output=json`): no pages, no cursor, no guarantees. */
export function ctPublicSearch(url: string, limits: ResponseLimits = DEFAULT_LIMITS): Source {
  return async function* (query) {
    const target = new URL(`?${new URLSearchParams({ q: `%.${query.domain}`, output: "json" })}`, url);
    const parsed = rows.safeParse(await requestJson(target, query, {}, limits));
    if (!parsed.success) throw new SourceFailed("the response is not a list of certificates");
    for (let at = 0; at < parsed.data.length; at += BATCH_SIZE) {
      yield toFound(query.domain, parsed.data.slice(at, at + BATCH_SIZE), null);
    }
  };
}
