import type { Metadata } from "next";
import { CreateKey } from "@/components/api-keys/create-key";
import { ActiveKeysTable, FormerKeysTable } from "@/components/api-keys/table/api-keys-table";
import { keyColumns } from "@/components/api-keys/table/key-columns";
import { SelectKeys } from "@/components/api-keys/table/select-keys";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { ChooseColumns } from "@/components/table/choose-columns";
import { columnsCookie } from "@/components/table/columns";
import { readColumns } from "@/components/table/read-columns";
import { withOrder } from "@/components/table/read-order";
import { sortCookie, sortingOf } from "@/components/table/sort";
import { PageHeader } from "@/components/ui/page-header";
import { listApiKeys as contract } from "@/lib/api-keys/contract";
import { listApiKeys } from "@/lib/api-keys/list";
import { type DailyRequests, requestsByDay } from "@/lib/api-keys/requests-by-day";
import { requirePrincipal } from "@/lib/auth/session";
import { logFailure } from "@/lib/db/outage-log";
import type { Principal } from "@/lib/http/principal";

export const metadata: Metadata = { title: "API keys" };

const PATH = "/api-keys";

export default async function ApiKeysPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const asked = await single(searchParams);
  const { cursor, sort, order } = await withOrder(principal, "api-keys", asked, contract.query);
  const params = { ...(sort && { sort }), ...(order && { order }), ...(cursor && { cursor }) };
  const { page, fault } = await readList(contract.query, { limit: "200", ...params }, (query) =>
    listApiKeys(principal, query),
  );
  const items = page?.items ?? [];
  const columns = await readColumns(principal, "api-keys", keyColumns);
  const reason = readOnlyReason(principal.permission);
  const requests = await readRequests(
    principal,
    items.map(({ id }) => id),
  );
  const active = items.filter(({ status }) => status === "active");
  const others = items.filter(({ status }) => status !== "active");
  const table = {
    requests,
    reason,
    sorting: sortingOf(PATH, params, "newest", sortCookie("api-keys", principal)),
    columns,
  };
  return (
    <>
      <PageHeader
        title="API keys"
        actions={
          <>
            {items.length > 0 && (
              <ChooseColumns cookie={columnsCookie("api-keys", principal)} columns={keyColumns} shown={columns} />
            )}
            <CreateKey reason={reason} />
          </>
        }
      >
        Changes, rotations and revocations apply from a key’s next request. The last use is at most one minute behind.
      </PageHeader>
      {requests === null && (
        <p role="alert" className="border-t px-4 py-2 text-second sm:px-5">
          <span className="text-bad">The request counts could not be loaded.</span> The rest of the page is not
          affected.
        </p>
      )}
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : active.length > 0 ? (
        <SelectKeys
          keys={reason === null ? active.map(({ id, name, last_used_at }) => ({ id, name, last_used_at })) : []}
        >
          <ActiveKeysTable keys={active} {...table} />
        </SelectKeys>
      ) : cursor !== undefined || page.nextCursor !== null ? (
        <EmptyState title="No active keys on this page">Other pages of the list may have some.</EmptyState>
      ) : (
        <EmptyState title="No active keys">
          A key lets a program use the API on behalf of this organization. Each of its requests is in the audit log.
        </EmptyState>
      )}
      {others.length > 0 && (
        <section className="mt-8">
          <h2 className="px-4 pb-2 font-medium sm:px-5">Revoked and expired</h2>
          <FormerKeysTable keys={others} {...table} />
        </section>
      )}
      {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
    </>
  );
}

/** Null if the audit database is unavailable: the page must still list keys and revoke them. */
async function readRequests(principal: Principal, ids: readonly string[]): Promise<DailyRequests | null> {
  try {
    return await requestsByDay(principal, ids);
  } catch (error) {
    logFailure("how often keys were used could not be read", error);
    return null;
  }
}
