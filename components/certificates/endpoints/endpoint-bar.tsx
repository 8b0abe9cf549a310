"use client";

import { OwnerButton } from "@/components/certificates/renewals/owner-button";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { BulkBar } from "@/components/table/bulk-bar";
import { oneByOne, outcomesOf } from "@/components/table/bulk-outcomes";
import { useSelection } from "@/components/table/selection";
import { TagButton } from "@/components/table/tag-button";
import { type BulkAct, useBulk } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { plural } from "@/lib/text/counts";

const NOUN = "endpoint";
const bulk = () => import("@/lib/certificates/endpoints/bulk-contract");

const check: BulkAct = {
  send: async (ids) => {
    const { queued } = await callEndpoint(async () => (await bulk()).bulkCheckEndpoints, { ids });
    return outcomesOf(ids, queued);
  },
  done: "will be checked soon",
  rest: "checked a moment ago, or reported from elsewhere",
};

const remove: BulkAct = {
  send: (ids) =>
    oneByOne(ids, (id) =>
      callEndpoint(async () => (await import("@/lib/certificates/contract")).deleteCertificateEndpoint, { id }),
    ),
  done: "deleted",
};

/** The actions for the selected endpoints. */
export function EndpointBar() {
  const { selected } = useSelection();
  const act = useBulk(NOUN);
  const deletion = useBulk(NOUN);
  const count = plural(selected.size, NOUN);
  return (
    <BulkBar noun={NOUN}>
      <Button pending={act.isPending} onClick={() => act.mutate(check)}>
        Check now
      </Button>
      <TagButton
        noun={NOUN}
        title={`Tag ${count}`}
        send={async (ids, change) =>
          (await callEndpoint(async () => (await bulk()).bulkUpdateEndpoints, { ids, ...change })).results
        }
      />
      <OwnerButton
        noun={NOUN}
        title={`Owner of ${count}`}
        send={async (ids, change) =>
          (await callEndpoint(async () => (await bulk()).bulkUpdateEndpoints, { ids, ...change })).results
        }
      />
      <ConfirmedButton
        label="Delete…"
        reason={null}
        title={`Delete ${count}?`}
        action={`Delete ${count}`}
        mutation={deletion}
        variables={remove}
        onDone={() => {}}
      >
        <p>
          Sealwatch no longer checks them or notifies anyone when their certificates expire, and deletes their findings.
          This cannot be undone. The certificates that they served stay in the inventory.
        </p>
      </ConfirmedButton>
    </BulkBar>
  );
}
