import { RotationDue, Whitelist } from "@/components/api-keys/key-cells";
import { KeyMenu } from "@/components/api-keys/key-menu";
import { RiskBadges } from "@/components/api-keys/risk-badges";
import { Trend } from "@/components/charts/trend";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { plural } from "@/components/time/time-format";
import { Status, type Tone } from "@/components/ui/badge";
import type { ApiKey } from "@/lib/api-keys/contract";
import { keyStatusLabels } from "@/lib/api-keys/labels";
import type { DailyRequests } from "@/lib/api-keys/requests-by-day";

const statusTone: Record<ApiKey["status"], Tone> = { active: "good", expired: "warn", revoked: "neutral" };

export function KeyStatus({ status }: Pick<ApiKey, "status">) {
  return <Status tone={statusTone[status]}>{keyStatusLabels[status]}</Status>;
}

interface Props {
  keys: ApiKey[];
  /** Null if they could not be read. */
  requests: DailyRequests | null;
  /** Why the reader may not make changes; null if they may. */
  reason: string | null;
}

/** Active keys with their risks, one per row; a row links to its key. */
export function ActiveKeysTable({ keys, requests, reason }: Props) {
  return (
    <Table
      label="Active keys"
      head={
        <>
          <Head className="w-56 max-lg:w-auto">Name</Head>
          <Head className="w-24 max-md:hidden">Permission</Head>
          <Head className="max-lg:hidden">Risks</Head>
          <Head className="w-36 max-2xl:hidden">Allowed from</Head>
          <Head className="w-28 max-sm:hidden">30 days</Head>
          <Head numeric className="w-20 max-sm:hidden">
            Requests
          </Head>
          <Head className="w-32 max-sm:w-28">Last used</Head>
          <Head className="w-28 max-xl:hidden">Expires</Head>
          <Head className="w-36 max-xl:hidden">Rotation due</Head>
          <Actions />
        </>
      }
    >
      {keys.map((key) => (
        <Row key={key.id}>
          <Data className="font-medium">
            <KeyLink apiKey={key} />
            {key.risks.length > 0 && <RiskDot apiKey={key} />}
          </Data>
          <Data className="max-md:hidden">{key.permission}</Data>
          <Data className="max-lg:hidden">
            <RiskBadges risks={key.risks} />
          </Data>
          <Data className="max-2xl:hidden">
            <Whitelist entries={key.ip_whitelist} />
          </Data>
          <Uses apiKey={key} requests={requests} />
          <Data className="max-xl:hidden">
            {key.expires_at ? <Time value={key.expires_at} style="day" /> : <span className="text-third">never</span>}
          </Data>
          <Data className="max-xl:hidden">
            <RotationDue at={key.rotation_due_at} />
          </Data>
          <Data className="text-right">
            <KeyMenu apiKey={key} reason={reason} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}

/** Revoked and expired keys, with the requests that still use them. */
export function FormerKeysTable({ keys, requests, reason }: Props) {
  return (
    <Table
      label="Revoked and expired keys"
      head={
        <>
          <Head className="w-56 max-lg:w-auto">Name</Head>
          <Head className="w-24 max-md:hidden">Permission</Head>
          <Head>Status</Head>
          <Head className="w-28 max-sm:hidden">30 days</Head>
          <Head numeric className="w-20 max-sm:hidden">
            Requests
          </Head>
          <Head className="w-32 max-sm:w-28">Last used</Head>
          <Actions />
        </>
      }
    >
      {keys.map((key) => (
        <Row key={key.id}>
          <Data className="text-second">
            <KeyLink apiKey={key} />
          </Data>
          <Data className="max-md:hidden">{key.permission}</Data>
          <Data>
            <KeyStatus status={key.status} /> <Ended apiKey={key} />
          </Data>
          <Uses apiKey={key} requests={requests} />
          <Data className="text-right">
            <KeyMenu apiKey={key} reason={reason} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}

function Actions() {
  return (
    <Head className="w-14 pointer-coarse:w-16">
      <span className="sr-only">Actions</span>
    </Head>
  );
}

function KeyLink({ apiKey }: { apiKey: ApiKey }) {
  return (
    <RowLink href={`/api-keys/${apiKey.id}`} title={`Created by ${apiKey.created_by.name}`}>
      {apiKey.name}
    </RowLink>
  );
}

/** The first risk and the number of others, for screens without room for all badges. */
function RiskDot({ apiKey: { risks } }: { apiKey: ApiKey }) {
  return (
    <span className="ml-2 max-sm:mt-0.5 max-sm:mb-1 max-sm:ml-0 max-sm:block lg:hidden">
      <RiskBadges risks={risks.slice(0, 1)} />
      {risks.length > 1 && <span className="text-second text-sm">+{risks.length - 1}</span>}
    </span>
  );
}

function Ended({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  const at = revoked_at ?? expires_at;
  return at && <span className="text-second max-sm:hidden">{<Ago value={at} />}</span>;
}

/** Recent requests with the key, and its last use. */
function Uses({ apiKey: { id, last_used_at }, requests }: { apiKey: ApiKey; requests: DailyRequests | null }) {
  const series = requests?.byKey.get(id);
  const sum = series?.reduce((all, each) => all + each, 0) ?? 0;
  return (
    <>
      <Data className="max-sm:hidden">
        {series && (
          <Trend
            series={series}
            tone="seal"
            label={`${plural(sum, "request")} in ${plural(series.length, "UTC day")}, at most ${Math.max(...series).toLocaleString("en-GB")} in one day`}
          />
        )}
      </Data>
      <Data numeric className="max-sm:hidden">
        {sum > 0 ? sum.toLocaleString("en-GB") : <span className="text-third">{requests === null ? "–" : "0"}</span>}
      </Data>
      <Data>{last_used_at ? <Ago value={last_used_at} /> : <span className="text-third">never</span>}</Data>
    </>
  );
}
