import { fixedEndpointColumns } from "@/components/certificates/endpoints/endpoint-columns";
import { EndpointState } from "@/components/certificates/endpoints/endpoint-state";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { SiteSymbol } from "@/components/sites/site-link";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Data, Head, Row, Table } from "@/components/table/table";
import { TagList } from "@/components/table/tag-list";
import { Ago, Time } from "@/components/time/time";
import type { CertificateEndpoint } from "@/lib/certificates/contract";

/** Endpoints, one per row, in the given order. */
export function EndpointsTable({
  endpoints,
  channels,
  selectable = false,
  sorting,
  columns = fixedEndpointColumns,
  now,
}: {
  endpoints: CertificateEndpoint[];
  /** The names of the channels that are notified of each endpoint's problems, by its id. Without it, no column. */
  channels?: ReadonlyMap<string, readonly string[]>;
  /** With a box per row, within `SelectEndpoints`. */
  selectable?: boolean;
  /** Lets people sort by the headers. */
  sorting?: Sorting;
  /** The columns to show besides the name and the state, by id. */
  columns?: ReadonlySet<string>;
  now: number;
}) {
  const has = (column: string) => columns.has(column);
  // Hosts that are cut off look alike: beside the channels, the issuer gives way first.
  const issuerClass = channels ? "max-[90rem]:hidden" : "max-lg:hidden";
  return (
    <Table
      label="Endpoints"
      head={
        <>
          {selectable && <SelectHead noun="endpoint" />}
          <SortHead sorting={sorting} by="name">
            Endpoint
          </SortHead>
          <SortHead sorting={sorting} by="urgency" className="w-48 max-lg:w-40 max-sm:w-28">
            State
          </SortHead>
          {has("issuer") && <Head className={`w-48 ${issuerClass}`}>Issuer</Head>}
          {has("left") && (
            <Head numeric className="w-40 max-lg:pr-4! max-sm:w-24">
              Time left
            </Head>
          )}
          {has("expires") && (
            <SortHead sorting={sorting} by="expiry" className="w-28 max-lg:hidden">
              Expires
            </SortHead>
          )}
          {channels && has("notifies") && <Head className="w-28 max-lg:hidden">Notifies</Head>}
          {has("tags") && <Head className="w-32 max-xl:hidden">Tags</Head>}
          {has("owner") && <Head className="w-32 max-xl:hidden">Owner</Head>}
          {has("checked") && <Head className="w-36 max-xl:hidden">Checked</Head>}
        </>
      }
    >
      {endpoints.map((endpoint) => {
        const { id, certificate, last_checked_at } = endpoint;
        return (
          <Row key={id}>
            {selectable && <SelectData id={id} name={endpointName(endpoint)} />}
            <Data className="font-mono text-sm">
              <RowLink href={`/certificates/endpoints/${id}`} title={endpoint.sni ? `SNI ${endpoint.sni}` : undefined}>
                {endpointName(endpoint)}
              </RowLink>
              <SiteSymbol host={endpoint.host} />
              {endpoint.sni && <span className="ml-2 text-second">{endpoint.sni}</span>}
            </Data>
            <Data className="max-sm:py-1 max-sm:whitespace-normal max-sm:**:whitespace-normal">
              <EndpointState endpoint={endpoint} />
            </Data>
            {has("issuer") && (
              <Data className={`text-second ${issuerClass}`}>
                {certificate && <span title={certificate.issuer}>{shortName(certificate.issuer)}</span>}
              </Data>
            )}
            {has("left") && (
              <Data numeric className="max-lg:pr-4!">
                {certificate ? <LifeBar validity={certificate} now={now} /> : "—"}
              </Data>
            )}
            {has("expires") && (
              <Data className="text-second max-lg:hidden">
                {certificate && <Time value={certificate.not_after} style="day" />}
              </Data>
            )}
            {channels && has("notifies") && (
              <Data className="text-second max-lg:hidden">
                <Notified names={channels.get(id) ?? []} />
              </Data>
            )}
            {has("tags") && (
              <Data className="text-second max-xl:hidden">
                <TagList tags={endpoint.tags} />
              </Data>
            )}
            {has("owner") && (
              <Data className="text-second max-xl:hidden">
                {endpoint.owner !== null && <span title={endpoint.owner}>{endpoint.owner}</span>}
              </Data>
            )}
            {has("checked") && (
              <Data className="text-second max-xl:hidden">{last_checked_at && <Ago value={last_checked_at} />}</Data>
            )}
          </Row>
        );
      })}
    </Table>
  );
}

function Notified({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="text-warn">Nobody</span>;
  return <span title={names.join(", ")}>{names.join(", ")}</span>;
}
