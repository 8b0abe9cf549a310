import { countryName } from "@/components/statistics/countries";
import { entriesHref } from "@/components/statistics/range";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { plural } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import type { ApiKeyUsage } from "@/lib/api-keys/usage-contract";

/** Clients that still use a rotated-out secret: address, user agent, count and times. Empty if there are none. */
export function OldSecrets({ usage }: { usage: ApiKeyUsage }) {
  const { rotated_secrets, api_key_id } = usage;
  if (rotated_secrets.length === 0) return null;
  const entries = (ip: string | null) =>
    entriesHref(usage, { api_key_id, flag: "rotated_secret", ...(ip !== null && { ip }) });
  return (
    <section className="pt-8" aria-labelledby="old-secrets">
      <h2 id="old-secrets" className="px-4 pb-2 font-medium sm:px-5">
        Clients with an old secret
      </h2>
      {rotated_secrets.map(({ hint, retired_at, requests, last_seen_at, sources }) => (
        <div key={hint} className="pb-4">
          <div className="px-4 pb-3 sm:px-5">
            <Note tone="bad">
              <span className="font-mono text-sm">{hint}</span>
              {retired_at && (
                <>
                  , rotated out <Time value={retired_at} />,
                </>
              )}{" "}
              was used {plural(requests, "time")} from {plural(sources.length, "address", "addresses")}, last{" "}
              <Ago value={last_seen_at} />. Every attempt was refused. Deploy the new secret to these clients. If you do
              not know an address, the old secret has leaked.
            </Note>
          </div>
          <Table
            label={`Uses of the old secret ${hint}`}
            head={
              <>
                <Head className="w-48 max-sm:w-auto">Address</Head>
                <Head className="w-32 max-md:hidden">Country</Head>
                <Head className="max-md:hidden">User agent</Head>
                <Head numeric className="w-20">
                  Attempts
                </Head>
                <Head className="w-40 max-lg:hidden">First seen</Head>
                <Head className="w-36">Last seen</Head>
              </>
            }
          >
            {sources.map((source) => (
              <Row key={source.ip_address}>
                <Data className="font-mono text-sm">
                  <RowLink href={entries(source.ip_address)}>{source.ip_address ?? "unknown"}</RowLink>
                </Data>
                <Data className="max-md:hidden">{source.country && countryName(source.country)}</Data>
                <Data className="font-mono text-second text-sm max-md:hidden">
                  <span title={source.user_agent ?? undefined}>{source.user_agent}</span>
                </Data>
                <Data numeric>{source.requests.toLocaleString("en-GB")}</Data>
                <Data className="text-second max-lg:hidden">
                  <Time value={source.first_seen_at} />
                </Data>
                <Data>
                  <Ago value={source.last_seen_at} />
                </Data>
              </Row>
            ))}
          </Table>
        </div>
      ))}
    </section>
  );
}
