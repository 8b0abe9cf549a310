import type { Metadata } from "next";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { AddStatusPage } from "@/components/status-pages/add-status-page";
import { StatusPagesTable } from "@/components/status-pages/status-pages-table";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { MAX_PAGES } from "@/lib/status-pages/limits";
import { listStatusPages } from "@/lib/status-pages/list";

export const metadata: Metadata = { title: "Status pages" };

export default async function StatusPagesPage() {
  const principal = await requirePrincipal();
  const { organizationId: id, permission } = principal;
  const { items } = await listStatusPages(principal, { id, limit: MAX_PAGES, cursor: undefined });
  return (
    <>
      <PageHeader
        title="Status pages"
        actions={<AddStatusPage organizationId={id} reason={readOnlyReason(permission)} />}
      >
        Pages that show the state of your sites without signing in.
      </PageHeader>
      {items.length > 0 ? (
        <StatusPagesTable pages={items} />
      ) : (
        <EmptyState title="No status pages yet">
          A status page shows the state and 90 days of uptime of the sites that you choose, under labels that you write.
          It is not public until you publish it.
        </EmptyState>
      )}
    </>
  );
}
