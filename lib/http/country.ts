import { readFileSync } from "node:fs";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { type CountryResponse, Reader } from "maxmind";
import { processSingleton } from "@/lib/process-singleton";

interface Country {
  country_code?: string;
}

const FILE = "node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** ISO 3166 alpha-2 code of an address from the offline database; null for private and unassigned addresses. */
export function countryOf(address: string | null): string | null {
  // The database also has registrations for some private ranges.
  if (address === null || ipaddr.parse(address).range() !== "unicast") return null;
  const reader = processSingleton(
    "api.country",
    () => new Reader<CountryResponse>(readFileSync(join(process.cwd(), FILE))),
  );
  return (reader.get(address) as Country | null)?.country_code ?? null;
}
