import type { Metadata } from "next";
import { ActiveKeysTable, FormerKeysTable } from "@/components/api-keys/api-keys-table";
import { CreateKey } from "@/components/api-keys/create-key";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listApiKeys } from "@/lib/api-keys/list";
import { type DailyRequests, requestsByDay } from "@/lib/api-keys/requests-by-day";
import { requirePrincipal } from "@/lib/auth/session";
import { logFailure } from "@/lib/db/outage-log";
import type { Principal } from "@/lib/http/principal";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const { cursor } = await single(searchParams);
  const { items, nextCursor } = await listApiKeys(principal, { limit: 200, cursor });
  const reason = readOnlyReason(principal.permission);
  const requests = await readRequests(
    principal,
    items.map(({ id }) => id),
  );
  const active = items.filter(({ status }) => status === "active");
  const others = items.filter(({ status }) => status !== "active");
  return (
    <>
      <PageHeader title="API keys" actions={<CreateKey reason={reason} />}>
        Changes, rotations and revocations apply from a key’s next request. The last use is at most one minute behind.
      </PageHeader>
      {requests === null && (
        <p role="alert" className="border-t px-4 py-2 text-second sm:px-5">
          <span className="text-bad">The request counts could not be loaded.</span> The rest of the page is not
          affected.
        </p>
      )}
      {active.length > 0 ? (
        <ActiveKeysTable keys={active} requests={requests} reason={reason} />
      ) : (
        <EmptyState title="No active keys">
          A key lets a program use the API on behalf of this organization. Each of its requests is in the audit log.
        </EmptyState>
      )}
      {others.length > 0 && (
        <section className="mt-8">
          <h2 className="px-4 pb-2 font-medium sm:px-5">Revoked and expired</h2>
          <FormerKeysTable keys={others} requests={requests} reason={reason} />
        </section>
      )}
      {nextCursor && (
        <div className="px-4 pt-3 sm:px-5">
          <LinkButton href={`/api-keys?cursor=${encodeURIComponent(nextCursor)}`}>Show older keys</LinkButton>
        </div>
      )}
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
