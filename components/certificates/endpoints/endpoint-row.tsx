import { issuerScreens } from "@/components/certificates/endpoints/endpoint-columns";
import { EndpointState } from "@/components/certificates/endpoints/endpoint-state";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { HostName } from "@/components/sites/host-name";
import { SiteSymbol } from "@/components/sites/site-link";
import { RowLink } from "@/components/table/row-link";
import { SelectData } from "@/components/table/select-cells";
import { Data, Row, TwoLines } from "@/components/table/table";
import { TagList } from "@/components/table/tag-list";
import { Ago, Time } from "@/components/time/time";
import type { CertificateEndpoint } from "@/lib/certificates/contract";

/** An endpoint in a table. */
export function EndpointRow({
  endpoint,
  channels,
  selectable,
  columns,
  now,
  rowIndex,
}: {
  endpoint: CertificateEndpoint;
  /** The names of the channels that are notified of its problems. Without it, no column. */
  channels?: readonly string[] | undefined;
  /** With a box, within `Selectable`. */
  selectable: boolean;
  /** The columns to show besides the name and the state, by id. */
  columns: ReadonlySet<string>;
  now: number;
  rowIndex?: number;
}) {
  const has = (column: string) => columns.has(column);
  const { id, certificate, last_checked_at } = endpoint;
  return (
    <Row aria-rowindex={rowIndex}>
      {selectable && <SelectData id={id} name={endpointName(endpoint)} />}
      <TwoLines className="font-mono text-sm">
        <RowLink href={`/certificates/endpoints/${id}`} title={endpoint.sni ? `SNI ${endpoint.sni}` : undefined}>
          <HostName name={endpointName(endpoint)} />
        </RowLink>
        <SiteSymbol host={endpoint.host} />
        {endpoint.sni && <span className="ml-2 text-second">{endpoint.sni}</span>}
      </TwoLines>
      <TwoLines className="max-sm:**:whitespace-normal">
        <EndpointState endpoint={endpoint} />
      </TwoLines>
      {has("issuer") && (
        <Data className={`text-second ${issuerScreens(channels !== undefined)}`}>
          {certificate && <span title={certificate.issuer}>{shortName(certificate.issuer)}</span>}
        </Data>
      )}
      {has("left") && (
        <Data numeric className="max-lg:pr-4!">
          {certificate ? <LifeBar validity={certificate} now={now} /> : "—"}
        </Data>
      )}
      {has("expires") && (
        <Data className="text-second max-xl:hidden">
          {certificate && <Time value={certificate.not_after} style="day" />}
        </Data>
      )}
      {channels && has("notifies") && (
        <Data className="text-second max-lg:hidden">
          <Notified names={channels} />
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
}

function Notified({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="text-warn">Nobody</span>;
  return (
    <span title={names.join(", ")} className="flex gap-1">
      <span className="truncate">{names[0]}</span> {names.length > 1 && <span>+{names.length - 1}</span>}
    </span>
  );
}
