import type { ReactNode } from "react";
import { countryName } from "@/components/statistics/countries";
import { entriesHref } from "@/components/statistics/range";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import type { ApiKeyUsage } from "@/lib/api-keys/usage-contract";
import { formatCount } from "@/lib/text/counts";

/** The addresses of requests with the key. */
export function AddressesSeen({ usage }: { usage: ApiKeyUsage }) {
  const { addresses, address_count, api_key_id } = usage;
  return (
    <Places title="Addresses" count={address_count} listed={addresses.length} of="Address" more="Country">
      {addresses.map((seen) => (
        <Row key={seen.ip_address}>
          <Data className="font-mono text-sm">
            {seen.ip_address === null ? (
              <span className="text-second">unknown</span>
            ) : (
              <RowLink href={entriesHref(usage, { api_key_id, ip: seen.ip_address })}>{seen.ip_address}</RowLink>
            )}
          </Data>
          <Data className="max-md:hidden">{seen.country && countryName(seen.country)}</Data>
          <Times seen={seen} />
        </Row>
      ))}
    </Places>
  );
}

/** The countries of these addresses. Private addresses have none. */
export function CountriesSeen({ usage }: { usage: ApiKeyUsage }) {
  const { countries, country_count, api_key_id } = usage;
  if (country_count === 0) return null;
  return (
    <Places title="Countries" count={country_count} listed={countries.length} of="Country">
      {countries.map((seen) => (
        <Row key={seen.country}>
          <Data>
            <RowLink href={entriesHref(usage, { api_key_id, country: seen.country })}>
              {countryName(seen.country)}
            </RowLink>
          </Data>
          <Times seen={seen} />
        </Row>
      ))}
    </Places>
  );
}

function Places({
  title,
  count,
  listed,
  of,
  more,
  children,
}: {
  title: string;
  count: number;
  listed: number;
  of: string;
  /** The name of a second column. */
  more?: string;
  children: ReactNode;
}) {
  return (
    <section className="pt-8">
      <h2 className="px-4 pb-2 font-medium sm:px-5">
        {title}{" "}
        <span className="font-normal text-second">
          {formatCount(count)}
          {listed < count && `, showing the ${listed} with the most requests`}
        </span>
      </h2>
      <Table
        label={title}
        head={
          <>
            <Head>{of}</Head>
            {more && <Head className="w-40 max-md:hidden">{more}</Head>}
            <Head numeric className="w-24 max-sm:w-20">
              Requests
            </Head>
            <Head className="w-40 max-lg:hidden">First in range</Head>
            <Head className="w-36">Last in range</Head>
            <Head className="w-44 max-md:hidden">First success</Head>
          </>
        }
      >
        {children}
      </Table>
    </section>
  );
}

function Times({ seen }: { seen: Omit<ApiKeyUsage["countries"][number], "country"> }) {
  return (
    <>
      <Data numeric>{formatCount(seen.requests)}</Data>
      <Data className="text-second max-lg:hidden">
        <Time value={seen.first_seen_at} />
      </Data>
      <Data>
        <Ago value={seen.last_seen_at} />
      </Data>
      <Data className="text-second max-md:hidden">
        {seen.known_since ? <Time value={seen.known_since} /> : <span className="text-warn">never succeeded</span>}
      </Data>
    </>
  );
}
