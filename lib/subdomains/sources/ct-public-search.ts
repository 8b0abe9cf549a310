import * as z from "zod";
import { nameWithin, type SearchResult, toFound } from "@/lib/subdomains/sources/issued";
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

/** A certificate that the search returned, with those of its names that match what was asked. */
interface Row {
  id: number | undefined;
  certificate: SearchResult;
}

const rows = z.array(
  z
    .object({
      id: z.int().optional(),
      issuer_name: z.string(),
      name_value: z.string(),
      not_before: utc,
      not_after: utc,
    })
    .transform(({ id, issuer_name, name_value, not_before, not_after }): Row => {
      const names = name_value.split("\n");
      const validity = { notBefore: not_before, notAfter: not_after };
      return { id, certificate: { names, issuer: issuer_name, ...validity, revoked: null, publicKeySha256: null } };
    }),
);

/** The certificates of both answers, each once and with the names of both, as far as the search tells their ids. */
function joined(all: readonly Row[]): SearchResult[] {
  const byId = new Map<number | Row, SearchResult>();
  for (const row of all) {
    const { id = row, certificate } = row;
    const names = [...(byId.get(id)?.names ?? []), ...certificate.names];
    byId.set(id, { ...certificate, names });
  }
  return [...byId.values()];
}

/**
 * A public search with the interface of crt.sh (`?q=…&output=json`): no pages, no cursor, no guarantees. `q=domain` finds the domain
 * itself, and with some versions of the search also the names below it; `q=%.domain` finds only those. The second is asked unless the
 * first answer has a certificate without the domain itself, which shows that the names below were searched.
 */
export function ctPublicSearch(url: string, limits: ResponseLimits = DEFAULT_LIMITS): Source {
  return async function* (query) {
    const { domain } = query;
    const ask = async (q: string): Promise<Row[]> => {
      const target = new URL(`?${new URLSearchParams({ q, output: "json" })}`, url);
      const parsed = rows.safeParse(await requestJson(target, query, {}, limits));
      if (!parsed.success) throw new SourceFailed("the response is not a list of certificates");
      return parsed.data;
    };
    const isBelow = ({ certificate: { names } }: Row) => {
      const within = names.flatMap((name) => nameWithin(domain, name) ?? []);
      return within.length > 0 && !within.includes(domain);
    };
    // In this order, a certificate that is logged between the answers has its names below the domain, which its key consists of.
    const found = await ask(domain);
    if (!found.some(isBelow)) {
      // Extends the lease, because each request may take half of it.
      yield toFound(domain, [], null);
      for (const row of await ask(`%.${domain}`)) found.push(row);
    }
    const certificates = joined(found);
    for (let at = 0; at < certificates.length; at += BATCH_SIZE) {
      yield toFound(domain, certificates.slice(at, at + BATCH_SIZE), null);
    }
  };
}
