import Link from "next/link";
import { countryName } from "@/components/statistics/countries";
import { entriesHref } from "@/components/statistics/range";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { OldSecretUse } from "@/lib/api-keys/old-secrets/contract";
import { formatCount } from "@/lib/text/counts";

/** Addresses that tried old secrets; a row links to their attempts, the first success to what they could read. */
export function AddressesTable({
  label,
  use,
  addresses,
}: {
  label: string;
  use: OldSecretUse;
  addresses: OldSecretUse["addresses"];
}) {
  return (
    <Table
      label={label}
      head={
        <>
          <Head className="w-60 max-sm:w-auto">Address</Head>
          <Head className="w-32 max-md:hidden">Country</Head>
          <Head className="max-md:hidden">User agent</Head>
          <Head className="w-40 max-lg:hidden">First success</Head>
          <Head numeric className="w-20">
            Attempts
          </Head>
          <Head className="w-40 max-xl:hidden">First attempt</Head>
          <Head className="w-32">Last attempt</Head>
        </>
      }
    >
      {addresses.map((address) => (
        <Row key={address.ip_address}>
          <Data>
            {address.ip_address === null ? (
              <span className="text-second">unknown</span>
            ) : (
              <span className="font-mono text-sm">
                <RowLink href={entriesHref(use, { api_key_id: use.api_key_id, ip: address.ip_address, status: "4xx" })}>
                  {address.ip_address}
                </RowLink>
              </span>
            )}
            {address.is_new && use.handled !== null && (
              <span className="ml-2">
                <Badge tone="bad">new</Badge>
              </span>
            )}
            {address.is_blocked && (
              <span className="ml-2">
                <Badge>blocked</Badge>
              </span>
            )}
          </Data>
          <Data className="max-md:hidden">{address.country && countryName(address.country)}</Data>
          <Data className="font-mono text-second text-sm max-md:hidden">
            <span title={address.user_agents.join("\n")}>
              {address.user_agents[0]}
              {address.user_agents.length > 1 && ` and ${address.user_agents.length - 1} more`}
            </span>
          </Data>
          <Data className="max-lg:hidden">
            <FirstSuccess use={use} address={address} />
          </Data>
          <Data numeric>{formatCount(address.attempts)}</Data>
          <Data className="text-second max-xl:hidden">
            <Time value={address.first_attempt_at} />
          </Data>
          <Data>
            <Ago value={address.last_attempt_at} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}

/** Since when an address succeeded with the key, with a link to the requests that did: what an unrecognized address could read. */
function FirstSuccess({ use, address }: { use: OldSecretUse; address: OldSecretUse["addresses"][number] }) {
  const { known_since, ip_address, standing } = address;
  if (known_since === null) return <span className="text-warn">never succeeded</span>;
  const tone = standing === "recent" ? "text-warn" : "text-second";
  const time = <Time value={known_since} />;
  if (ip_address === null) return <span className={tone}>{time}</span>;
  const requests = { api_key_id: use.api_key_id, ip: ip_address, status: "2xx" };
  return (
    <Link
      prefetch={false}
      href={entriesHref({ since: known_since, until: use.until }, requests)}
      title={`Successful requests from ${ip_address}`}
      className={cx("underline underline-offset-2", tone)}
    >
      {time}
    </Link>
  );
}
