"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { failureOf } from "@/components/states/failure";
import { useReview } from "@/components/subdomains/queries";
import { SelectData } from "@/components/table/select-cells";
import { Selectable, useSelection } from "@/components/table/selection";
import { Data, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { showToast } from "@/components/ui/toast";
import type { ReviewAction, Subdomain } from "@/lib/subdomains/contract";
import { sourceLabels, subdomainStateLabels } from "@/lib/subdomains/labels";
import { formatCount, plural } from "@/lib/text/counts";

const done: Record<ReviewAction, string> = {
  monitor: "now monitored",
  ignore: "now ignored",
  restore: "back in review",
};

/** Names, and the actions for the selected ones. `head`: the headers of the table. */
export function Review({
  names,
  head,
  reason,
}: {
  names: readonly Subdomain[];
  head: ReactNode;
  reason: string | null;
}) {
  return (
    <Selectable ids={names.map(({ id }) => id)} noun="name" bar={null}>
      <Actions names={names} reason={reason} />
      <NamesTable names={names} head={head} />
    </Selectable>
  );
}

function Actions({ names, reason }: { names: readonly Subdomain[]; reason: string | null }) {
  const { selected, select } = useSelection();
  const review = useReview();
  const ids = [...selected];
  const failure = failureOf(review.error).message;
  const failed = review.data?.results.filter(({ status }) => status === "failed") ?? [];
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));

  const act = (action: ReviewAction) =>
    review.mutate(
      { action, ids },
      {
        onSuccess: ({ results }) => {
          const count = results.filter(({ status }) => status === "done").length;
          if (count > 0) showToast(`${plural(count, "name")} ${count === 1 ? "is" : "are"} ${done[action]}.`);
          select(results.flatMap(({ id, status }) => (status === "failed" ? [id] : [])));
        },
      },
    );
  const why = reason ?? (ids.length === 0 ? "Select names in the list first." : null);
  const pending = (action: ReviewAction) => review.isPending && review.variables?.action === action;

  return (
    <div className="grid gap-2 px-4 pb-3 sm:px-5">
      <div className="flex flex-wrap items-center gap-2">
        <GuardedButton kind="primary" reason={why} pending={pending("monitor")} onClick={() => act("monitor")}>
          Monitor
        </GuardedButton>
        <GuardedButton reason={why} pending={pending("ignore")} onClick={() => act("ignore")}>
          Ignore
        </GuardedButton>
        <GuardedButton reason={why} pending={pending("restore")} onClick={() => act("restore")}>
          Mark as new
        </GuardedButton>
        <span className="text-second tabular-nums">{ids.length > 0 && `${formatCount(ids.length)} selected`}</span>
      </div>
      {failure !== null && (
        <Note tone="bad" alert>
          {failure}
        </Note>
      )}
      {failed.length > 0 && (
        <Note tone="warn" alert>
          <ul>
            {failed.slice(0, 5).map(({ id, error }) => (
              <li key={id}>
                <span className="font-mono text-sm">{nameOf.get(id) ?? "a name"}</span>: {error}
              </li>
            ))}
          </ul>
          {failed.length > 5 && <p>And {failed.length - 5} more.</p>}
        </Note>
      )}
    </div>
  );
}

function NamesTable({ names, head }: { names: readonly Subdomain[]; head: ReactNode }) {
  return (
    <Table label="Names" head={head}>
      {names.map((name) => (
        <NameRow key={name.id} name={name} />
      ))}
    </Table>
  );
}

function NameRow({
  name: { id, name, state, wildcard, expired_only, sources, addresses, endpoint_id, first_seen_at },
}: {
  name: Subdomain;
}) {
  return (
    <Row>
      <SelectData id={id} name={name} />
      <Data>
        <span className="font-mono text-sm" title={name}>
          {name}
        </span>
        {wildcard && (
          <span className="ml-2">
            <Badge>wildcard</Badge>
          </span>
        )}
        {expired_only && (
          <span className="ml-2">
            <Badge tone="warn">expired only</Badge>
          </span>
        )}
      </Data>
      <Data className="max-sm:hidden">
        {endpoint_id !== null ? (
          <Link prefetch={false} href={`/certificates/endpoints/${endpoint_id}`} className="hover:underline">
            <Status tone="good">{subdomainStateLabels[state]}</Status>
          </Link>
        ) : (
          <span className={state === "ignored" ? "text-third" : ""}>{subdomainStateLabels[state]}</span>
        )}
      </Data>
      <Data className="text-second max-md:hidden">{sources.map((each) => sourceLabels[each]).join(", ")}</Data>
      <Data className={cx("text-second max-xl:hidden", addresses.length > 0 && "font-mono text-sm")}>
        {addresses.join(", ") || "—"}
      </Data>
      <Data className="text-second max-lg:hidden">
        <Ago value={first_seen_at} />
      </Data>
    </Row>
  );
}
