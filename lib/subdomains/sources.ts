import { config } from "@/lib/config";
import type { SourceName } from "@/lib/subdomains/domain-contract";
import { ctPublicSearch } from "@/lib/subdomains/sources/ct-public-search";
import { ctSearch } from "@/lib/subdomains/sources/ct-search";
import { dns } from "@/lib/subdomains/sources/dns";
import type { Source } from "@/lib/subdomains/sources/source";

/** A source with this installation's configuration. */
export function sourceOf(name: SourceName): Source {
  const { CT_SEARCH_URL, CT_SEARCH_TOKEN, CT_PUBLIC_SEARCH_URL } = config();
  switch (name) {
    case "ct_search":
      return ctSearch(CT_SEARCH_URL, CT_SEARCH_TOKEN);
    case "ct_public_search":
      return ctPublicSearch(CT_PUBLIC_SEARCH_URL);
    case "dns":
      return dns();
  }
}
