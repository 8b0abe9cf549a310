"use client";

import { lazy, memo, type ReactNode, useCallback } from "react";
import { EndpointRow } from "@/components/certificates/endpoints/endpoint-row";
import { readMoreEndpoints } from "@/components/certificates/endpoints/read-more-endpoints";
import type { ListPart } from "@/components/table/infinite/list-part";
import { SelectableList } from "@/components/table/infinite/selectable-list";
import { type KeptLists, useInfiniteList } from "@/components/table/infinite/use-infinite-list";
import { isSelected } from "@/lib/alert-selectors/selector";
import type { NotifyingRule } from "@/lib/alerts/coverage/notifying-rules";
import type { CertificateEndpoint } from "@/lib/certificates/contract";

const EndpointBar = lazy(async () => ({
  default: (await import("@/components/certificates/endpoints/endpoint-bar")).EndpointBar,
}));

const kept: KeptLists<CertificateEndpoint, string> = new Map();

/** The endpoints of the page's URL, which people with admin permission can select. */
export function EndpointsList({
  id,
  head,
  first,
  params,
  rules,
  mayAct,
  columns,
  now,
}: {
  /** Identifies the list, with its organization; also the key of this component. */
  id: string;
  head: ReactNode;
  first: ListPart<CertificateEndpoint, string>;
  /** Filters and order, as in the URL. */
  params: Record<string, string>;
  rules: readonly NotifyingRule[];
  mayAct: boolean;
  /** The columns to show besides the name and the state, by id. */
  columns: ReadonlySet<string>;
  now: number;
}) {
  const read = useCallback((cursor: string) => readMoreEndpoints(params, cursor), [params]);
  const rows = useInfiniteList({ id, kept, first, read });
  return (
    <SelectableList label="Endpoints" noun="endpoint" head={head} rows={rows} mayAct={mayAct} bar={<EndpointBar />}>
      {(endpoint, rowIndex) => (
        <ListedEndpoint
          key={endpoint.id}
          endpoint={endpoint}
          rules={rules}
          selectable={mayAct}
          columns={columns}
          now={now}
          rowIndex={rowIndex}
        />
      )}
    </SelectableList>
  );
}

/** Renders only if a property changes: scrolling would otherwise render each row on the screen. */
const ListedEndpoint = memo(function ListedEndpoint({
  rules,
  ...row
}: { rules: readonly NotifyingRule[] } & Omit<Parameters<typeof EndpointRow>[0], "channels">) {
  return <EndpointRow {...row} channels={channelsFor(rules, row.endpoint)} />;
});

/** The names of the channels that the rules notify of problems of an endpoint or of the certificate that it serves. */
function channelsFor(rules: readonly NotifyingRule[], { id, tags, certificate }: CertificateEndpoint): string[] {
  const ids = certificate === null ? [id] : [id, certificate.id];
  const covering = rules.filter(({ selector }) => isSelected(selector, ids, tags));
  return [...new Set(covering.flatMap(({ channels }) => channels))];
}
