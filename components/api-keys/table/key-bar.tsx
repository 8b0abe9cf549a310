"use client";

import type { SelectableKey } from "@/components/api-keys/table/select-keys";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { BulkBar } from "@/components/table/bulk-bar";
import { oneByOne } from "@/components/table/bulk-outcomes";
import { useSelection } from "@/components/table/selection";
import { type BulkAct, useBulk } from "@/components/table/use-bulk";
import { Ago } from "@/components/time/time";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { plural } from "@/lib/text/counts";

const NOUN = "key";
const MAX_NAMED = 5;

const revoke: BulkAct = {
  send: (ids) =>
    oneByOne(ids, (id) => callEndpoint(async () => (await import("@/lib/api-keys/contract")).revokeApiKey, { id })),
  done: "revoked",
};

/** The actions for the selected keys. */
export function KeyBar({ keys }: { keys: readonly SelectableKey[] }) {
  const { selected } = useSelection();
  const revocation = useBulk(NOUN);
  const count = plural(selected.size, NOUN);
  return (
    <BulkBar noun={NOUN}>
      <ConfirmedButton
        label="Revoke…"
        reason={null}
        title={`Revoke ${count}?`}
        action={`Revoke ${count}`}
        mutation={revocation}
        variables={revoke}
        onDone={() => {}}
      >
        <p>
          Every client that uses {selected.size === 1 ? "it" : "them"} gets 401 from its next request on. Revoked keys
          cannot be restored. Their entries stay in the audit log.
        </p>
        <LastUses keys={keys.filter(({ id }) => selected.has(id))} />
      </ConfirmedButton>
    </BulkBar>
  );
}

/** When the keys were last used, the most recently used first. */
function LastUses({ keys }: { keys: readonly SelectableKey[] }) {
  const used = keys.flatMap(({ id, name, last_used_at }) => (last_used_at ? [{ id, name, last_used_at }] : []));
  if (used.length === 0) return <p className="mt-2">Not used yet.</p>;
  used.sort((a, b) => b.last_used_at.localeCompare(a.last_used_at));
  return (
    <>
      <p className="mt-2">Last used:</p>
      <ul className="mt-1 list-disc pl-5">
        {used.slice(0, MAX_NAMED).map(({ id, name, last_used_at }) => (
          <li key={id}>
            {name}, <Ago value={last_used_at} />
          </li>
        ))}
        {used.length > MAX_NAMED && <li>and {plural(used.length - MAX_NAMED, "other key")}</li>}
      </ul>
    </>
  );
}
