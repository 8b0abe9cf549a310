"use client";

import { callEndpoint } from "@/components/layout/use-endpoint";
import { BulkBar } from "@/components/table/bulk-bar";
import { oneByOne, outcomesOf } from "@/components/table/bulk-outcomes";
import { useSelection } from "@/components/table/selection";
import { TagButton } from "@/components/table/tag-button";
import { type BulkAct, useBulk } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { plural } from "@/lib/text/counts";
import type * as contract from "@/lib/uptime/monitors/bulk-contract";

const NOUN = "monitor";
const bulk = () => import("@/lib/uptime/monitors/bulk-contract");
type Change = Omit<(typeof contract.bulkUpdateMonitors)["types"]["sent"], "ids">;

const change = async (ids: string[], sent: Change) =>
  (await callEndpoint(async () => (await bulk()).bulkUpdateMonitors, { ids, ...sent })).results;

const check: BulkAct = {
  send: async (ids) => {
    const { queued } = await callEndpoint(async () => (await bulk()).bulkCheckMonitors, { ids });
    return outcomesOf(ids, queued);
  },
  done: "will be checked soon",
  rest: "checked a moment ago, paused, or heartbeats",
};

const pausing: BulkAct = { send: (ids) => change(ids, { paused: true }), done: "paused" };
const resuming: BulkAct = { send: (ids) => change(ids, { paused: false }), done: "resumed" };
const pause: BulkAct = { ...pausing, undo: resuming };
const resume: BulkAct = { ...resuming, undo: pausing };

const remove: BulkAct = {
  send: (ids) =>
    oneByOne(ids, (id) => callEndpoint(async () => (await import("@/lib/uptime/contract")).deleteMonitor, { id })),
  done: "deleted",
};

const buttons = [
  { label: "Check now", act: check },
  { label: "Pause", act: pause },
  { label: "Resume", act: resume },
];

/** The actions for the selected monitors. */
export function MonitorBar() {
  const { selected } = useSelection();
  const act = useBulk(NOUN);
  const deletion = useBulk(NOUN);
  const count = plural(selected.size, NOUN);
  return (
    <BulkBar noun={NOUN}>
      {buttons.map(({ label, act: one }) => (
        <Button key={label} pending={act.isPending && act.variables === one} onClick={() => act.mutate(one)}>
          {label}
        </Button>
      ))}
      <TagButton noun={NOUN} title={`Tag ${count}`} send={change} />
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
          This deletes their incidents, response times and uptime, and cannot be undone. To keep them, pause the
          monitors instead.
        </p>
      </ConfirmedButton>
    </BulkBar>
  );
}
