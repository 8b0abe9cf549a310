import { KeyMenu } from "@/components/api-keys/key-menu";
import { RiskBadges } from "@/components/api-keys/risk-badges";
import { RotationDue, Whitelist } from "@/components/api-keys/table/key-cells";
import { Uses } from "@/components/api-keys/table/uses";
import { RowLink } from "@/components/table/row-link";
import { SelectData, SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { ActionsHead, Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Status, type Tone } from "@/components/ui/badge";
import type { ApiKey } from "@/lib/api-keys/contract";
import { keyStatusLabels } from "@/lib/api-keys/labels";
import type { DailyRequests } from "@/lib/api-keys/requests-by-day";
import { scopeLabels } from "@/lib/auth/scopes";

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
  sorting: Sorting;
  /** The columns to show besides the name, by id. */
  columns: ReadonlySet<string>;
}

/** Active keys with their risks, one per row; a row links to its key. Those who may make changes can select them. */
export function ActiveKeysTable({ keys, requests, reason, sorting, columns }: Props) {
  const has = (column: string) => columns.has(column);
  const selectable = reason === null;
  return (
    <Table
      label="Active keys"
      head={
        <>
          {selectable && <SelectHead noun="key" />}
          <SortHead sorting={sorting} by="name" className={has("risks") ? "w-56 max-lg:w-auto" : ""}>
            Name
          </SortHead>
          {has("permission") && <Head className="w-24 max-md:hidden">Permission</Head>}
          {has("risks") && <Head className="max-lg:hidden">Risks</Head>}
          {has("allowed") && <Head className="w-36 max-2xl:hidden">Allowed from</Head>}
          <UsesHeads has={has} sorting={sorting} />
          {has("expires") && (
            <SortHead sorting={sorting} by="expiry" className="w-28 max-xl:hidden">
              Expires
            </SortHead>
          )}
          {has("rotation") && <Head className="w-36 max-[90rem]:hidden">Rotation due</Head>}
          {has("created") && <CreatedHead sorting={sorting} />}
          <ActionsHead />
        </>
      }
    >
      {keys.map((key) => (
        <Row key={key.id}>
          {selectable && <SelectData id={key.id} name={key.name} />}
          <Data className="font-medium max-sm:py-1.5">
            <KeyLink apiKey={key} />
            {key.risks.length > 0 && <RiskDot apiKey={key} />}
          </Data>
          {has("permission") && (
            <Data className="max-md:hidden">
              <Permission apiKey={key} />
            </Data>
          )}
          {has("risks") && (
            <Data className="max-lg:hidden">
              <RiskBadges risks={key.risks} />
            </Data>
          )}
          {has("allowed") && (
            <Data className="max-2xl:hidden">
              <Whitelist entries={key.ip_whitelist} />
            </Data>
          )}
          <Uses apiKey={key} requests={requests} has={has} />
          {has("expires") && (
            <Data className="max-xl:hidden">
              {key.expires_at ? <Time value={key.expires_at} style="day" /> : <span className="text-third">never</span>}
            </Data>
          )}
          {has("rotation") && (
            <Data className="max-[90rem]:hidden">
              <RotationDue at={key.rotation_due_at} />
            </Data>
          )}
          {has("created") && <Created apiKey={key} />}
          <Data className="text-right">
            <KeyMenu apiKey={key} reason={reason} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}

/** Revoked and expired keys, with the requests that still use them. */
export function FormerKeysTable({ keys, requests, reason, sorting, columns }: Props) {
  const has = (column: string) => columns.has(column);
  return (
    <Table
      label="Revoked and expired keys"
      head={
        <>
          <SortHead sorting={sorting} by="name" className="w-56 max-lg:w-auto">
            Name
          </SortHead>
          {has("permission") && <Head className="w-24 max-md:hidden">Permission</Head>}
          <Head>Status</Head>
          <UsesHeads has={has} sorting={sorting} />
          {has("created") && <CreatedHead sorting={sorting} />}
          <ActionsHead />
        </>
      }
    >
      {keys.map((key) => (
        <Row key={key.id}>
          <Data className="text-second">
            <KeyLink apiKey={key} />
          </Data>
          {has("permission") && (
            <Data className="max-md:hidden">
              <Permission apiKey={key} />
            </Data>
          )}
          <Data>
            <KeyStatus status={key.status} /> <Ended apiKey={key} />
          </Data>
          <Uses apiKey={key} requests={requests} has={has} />
          {has("created") && <Created apiKey={key} />}
          <Data className="text-right">
            <KeyMenu apiKey={key} reason={reason} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}

/** The permission of a key; of one with a scope, that it is limited and to what. */
function Permission({ apiKey: { permission, scope } }: { apiKey: ApiKey }) {
  if (scope === null) return permission;
  return <span title={`${permission}, only for: ${scopeLabels[scope]}`}>one purpose</span>;
}

/** The headers of `Uses`. */
function UsesHeads({ has, sorting }: { has: (column: string) => boolean; sorting: Sorting }) {
  return (
    <>
      {has("days") && <Head className="w-28 max-sm:hidden lg:max-xl:hidden">30 days</Head>}
      {has("requests") && (
        <Head numeric className="w-20 max-sm:hidden">
          Requests
        </Head>
      )}
      {has("used") && (
        <SortHead sorting={sorting} by="last_used" className="w-32 max-sm:w-28">
          Last used
        </SortHead>
      )}
    </>
  );
}

function CreatedHead({ sorting }: { sorting: Sorting }) {
  return (
    <SortHead sorting={sorting} by="newest" className="w-28 max-xl:hidden">
      Created
    </SortHead>
  );
}

function Created({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Data className="text-second max-xl:hidden">
      <Time value={apiKey.created_at} style="day" />
    </Data>
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
    <span className="ml-2 max-sm:mt-0.5 max-sm:ml-0 max-sm:block lg:hidden">
      <RiskBadges risks={risks.slice(0, 1)} />
      {risks.length > 1 && <span className="text-second text-sm">+{risks.length - 1}</span>}
    </span>
  );
}

function Ended({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  const at = revoked_at ?? expires_at;
  return at && <span className="text-second max-sm:hidden">{<Ago value={at} />}</span>;
}
