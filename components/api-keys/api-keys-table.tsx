import { RotationDue, Whitelist } from "@/components/api-keys/key-cells";
import { KeyMenu } from "@/components/api-keys/key-menu";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Status } from "@/components/ui/badge";
import { Ago, Time } from "@/components/ui/time";
import type { ApiKey } from "@/lib/api-keys/contract";

const statuses = {
  active: <Status tone="good">active</Status>,
  expired: <Status tone="warn">expired</Status>,
  revoked: <Status tone="neutral">revoked</Status>,
};

/** Keys, one a row; a row leads to the requests made with it. */
export function ApiKeysTable({ label, keys, reason }: { label: string; keys: ApiKey[]; reason: string | null }) {
  return (
    <Table
      label={label}
      head={
        <>
          <Head>Name</Head>
          <Head className="w-24 max-sm:hidden">Permission</Head>
          <Head className="w-24">Status</Head>
          <Head className="w-32 max-lg:hidden">Secret</Head>
          <Head className="w-36 max-xl:hidden">Used from</Head>
          <Head className="w-32 max-sm:w-28">Last used</Head>
          <Head className="w-32 max-md:hidden">Expires</Head>
          <Head className="w-36 max-lg:hidden">Rotation due</Head>
          <Head className="w-14 pointer-coarse:w-16">
            <span className="sr-only">Actions</span>
          </Head>
        </>
      }
    >
      {keys.map((key) => (
        <Row key={key.id}>
          <Data className={key.status === "active" ? "font-medium" : "text-second"}>
            <RowLink href={`/audit-logs?api_key_id=${key.id}`} title={`Created by ${key.created_by.name}`}>
              {key.name}
            </RowLink>
          </Data>
          <Data className="max-sm:hidden">{key.permission}</Data>
          <Data>{statuses[key.status]}</Data>
          <Data className="font-mono text-second text-sm max-lg:hidden">{key.hint}</Data>
          <Data className="max-xl:hidden">
            <Whitelist entries={key.ip_whitelist} />
          </Data>
          <Data>{key.last_used_at ? <Ago value={key.last_used_at} /> : <span className="text-third">never</span>}</Data>
          <Data className="max-md:hidden">
            {key.expires_at ? <Time value={key.expires_at} style="day" /> : <span className="text-third">never</span>}
          </Data>
          <Data className="max-lg:hidden">
            {key.status === "active" ? <RotationDue at={key.rotation_due_at} /> : "—"}
          </Data>
          <Data className="text-right">
            <KeyMenu apiKey={key} reason={reason} />
          </Data>
        </Row>
      ))}
    </Table>
  );
}
