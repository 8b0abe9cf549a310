import type { Metadata } from "next";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { Badges } from "@/components/status-pages/badges";
import { readSiteChoices } from "@/components/status-pages/read-site-choices";
import { StatusPageActions } from "@/components/status-pages/status-page-actions";
import { StatusPageForm } from "@/components/status-pages/status-page-form";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { getStatusPage } from "@/lib/status-pages/get";

export const metadata: Metadata = { title: "Status page" };

export default async function StatusPagePage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const { organizationId } = principal;
  const page = await orNotFound(params, (page_id) => getStatusPage(principal, { id: organizationId, page_id }));
  const choices = await readSiteChoices(principal, page.sites);
  const reason = readOnlyReason(principal.permission);
  return (
    <>
      <PageHeader
        back={{ href: "/status-pages", label: "Status pages" }}
        title={<bdi>{page.title}</bdi>}
        actions={<StatusPageActions organizationId={organizationId} page={page} reason={reason} />}
      >
        {page.published ? (
          <>
            Everybody who has the address can open it:{" "}
            <span className="whitespace-nowrap max-sm:whitespace-normal">
              <a href={page.address} className="break-all font-mono text-seal underline underline-offset-2">
                {page.address}
              </a>
              <CopyButton text={page.address} what="the address" className="-my-1 align-middle" />
            </span>
          </>
        ) : (
          "Not published: nobody outside of this organization can open it."
        )}
      </PageHeader>
      <StatusPageForm key={page.id} organizationId={organizationId} page={page} choices={choices} reason={reason} />
      {page.published && <Badges page={page} />}
      <ResourceHistory principal={principal} type="status_page" id={page.id} />
    </>
  );
}
