"use client";

import { useState } from "react";
import type { SentAct } from "@/components/alerts/queries";
import { ResolveDialog } from "@/components/alerts/resolve-dialog";
import { SnoozeMenu } from "@/components/alerts/snooze-menu";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { BulkBar } from "@/components/table/bulk-bar";
import { useSelection } from "@/components/table/selection";
import { type BulkAct, useBulk } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { plural } from "@/lib/text/counts";

const NOUN = "alert";

const acting = (sent: SentAct, done: string): BulkAct => ({
  send: async (ids) => {
    const load = async () => (await import("@/lib/alerts/contract")).bulkActOnAlerts;
    return (await callEndpoint(load, { ids, ...sent })).results;
  },
  done,
});

/** The actions for the selected alerts. */
export function AlertBar() {
  const { selected } = useSelection();
  const act = useBulk(NOUN);
  const resolution = useBulk(NOUN);
  const [isResolving, setIsResolving] = useState(false);
  return (
    <BulkBar noun={NOUN}>
      <Button pending={act.isPending} onClick={() => act.mutate(acting({ action: "acknowledge" }, "acknowledged"))}>
        Acknowledge
      </Button>
      <SnoozeMenu
        pending={act.isPending}
        onSnooze={(until) => act.mutate(acting({ action: "snooze", until }, "snoozed"))}
      />
      <Button
        pending={act.isPending}
        onClick={() => {
          resolution.reset();
          setIsResolving(true);
        }}
      >
        Resolve…
      </Button>
      <ResolveDialog
        open={isResolving}
        onOpenChange={setIsResolving}
        title={`Resolve ${plural(selected.size, NOUN)}?`}
        pending={resolution.isPending}
        error={resolution.error}
        onResolve={(note) =>
          resolution.mutate(acting({ action: "resolve", note }, "resolved"), { onSuccess: () => setIsResolving(false) })
        }
      />
    </BulkBar>
  );
}
