import type { SiteInput, StatusSite } from "@/lib/status-pages/contract";
import { slugOf } from "@/lib/text/shapes/slug";

/** Characters of the part of a slug that is made from the label; a number may follow. */
const LONGEST_WORDS = 44;

/** Gives each site without a slug one made from its label: `shop`, or `shop-2` if another site has that slug. */
export function withSlugs(sites: readonly SiteInput[]): StatusSite[] {
  const taken = new Set(sites.flatMap(({ slug }) => slug ?? []));
  return sites.map(({ slug, ...site }) => {
    const given = slug ?? freeSlug(slugOf(site.label, "site").slice(0, LONGEST_WORDS).replace(/-$/, ""), taken);
    taken.add(given);
    return { slug: given, ...site };
  });
}

function freeSlug(words: string, taken: ReadonlySet<string>): string {
  let slug = words;
  for (let number = 2; taken.has(slug); number++) slug = `${words}-${number}`;
  return slug;
}

/** The position of the first site whose slug an earlier site has; -1 if all slugs differ. */
export function repeatedSlug(sites: readonly StatusSite[]): number {
  return sites.findIndex(({ slug }, at) => sites.findIndex((other) => other.slug === slug) < at);
}
