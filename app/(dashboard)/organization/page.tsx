import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import {
  DeleteOrganization,
  LeaveOrganization,
  RestoreOrganization,
} from "@/components/organizations/end-organization";
import { NewOrganization, RenameOrganization } from "@/components/organizations/organization-actions";
import { readOnlyReason } from "@/components/states/read-only";
import { Ago, Time } from "@/components/time/time";
import { CopyButton } from "@/components/ui/copy-button";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { DownloadLink } from "@/components/ui/download-link";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { API_PREFIX } from "@/lib/http/endpoint";
import { countAdmins } from "@/lib/organizations/count-admins";
import { getOrganization } from "@/lib/organizations/get";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Organization" };

export default async function OrganizationPage() {
  const principal = await requirePrincipal();
  const [organization, admins] = await Promise.all([
    getOrganization(principal, { id: principal.organizationId }),
    countAdmins(principal),
  ]);
  const { id, name, slug, plan, permission, audit_retention_days, created_at, deletion } = organization;
  const reason = readOnlyReason(permission);
  const lone = permission === "admin" && admins === 1;
  return (
    <>
      <PageHeader
        title={<bdi>{name}</bdi>}
        actions={
          <>
            <NewOrganization cookie={ORGANIZATION_COOKIE} reason={reason} />
            <RenameOrganization id={id} name={name} reason={reason} />
          </>
        }
      />
      {deletion && (
        <div className="grid justify-items-start gap-2 px-4 pb-4 sm:px-5">
          <Note tone="warn">
            {deletion.requested_by} requested the deletion of this organization <Ago value={deletion.requested_at} />.
            All its data is permanently deleted <Time value={deletion.due_at} />. Until then everything keeps working.
          </Note>
          <RestoreOrganization id={id} reason={reason} />
        </div>
      )}
      <div className="max-w-2xl px-4 pb-6 sm:px-5">
        <DefinitionGroup>
          <Definition name="ID" mono>
            {id} <CopyButton text={id} what="the ID" className="-my-1 align-middle" />
          </Definition>
          <Definition name="Slug" mono>
            {slug}
          </Definition>
          <Definition name="Created">
            <Time value={created_at} style="day" />
          </Definition>
          <Definition name="Your permission">{permission === "admin" ? "admin" : "read only"}</Definition>
          <Definition name="Plan">
            <Link href="/billing" className="underline decoration-strong underline-offset-2 hover:decoration-current">
              {plan}
            </Link>
          </Definition>
          <Definition name="Audit log">
            Entries are kept for {plural(audit_retention_days, "day")} on this plan.
          </Definition>
        </DefinitionGroup>
      </div>
      <Part title="Export">
        <p>
          All data of the organization as JSON lines: members, keys, certificates, endpoints, monitors with their
          measurements, alerts, channels. Secrets are not included. The audit log is a separate file.
        </p>
        <div className="flex flex-wrap gap-2">
          <DownloadLink href={`${API_PREFIX}/organizations/${id}/export`}>Export everything</DownloadLink>
          <DownloadLink href={`${API_PREFIX}/audit-logs/export?format=ndjson`}>Export the audit log</DownloadLink>
        </div>
      </Part>
      <Part title="Leave">
        <p>You lose access immediately. API keys that you created keep working.</p>
        <LeaveOrganization
          id={id}
          name={name}
          reason={
            lone ? "You are the only admin. Make another member an admin first, or delete the organization." : null
          }
        />
      </Part>
      {deletion === null && (
        <Part title="Delete">
          <p>
            All data, including the audit log, is permanently deleted after 14 days, whatever the retention of the plan.
            Until then everything keeps working, and any admin can restore the organization. End an active subscription
            first.
          </p>
          <DeleteOrganization id={id} name={name} reason={reason} />
        </Part>
      )}
      <ResourceHistory principal={principal} type="organization" id={id} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t px-4 py-4 sm:px-5">
      <h2 className="font-medium">{title}</h2>
      <div className="mt-1 grid max-w-prose justify-items-start gap-3 text-pretty text-second">{children}</div>
    </section>
  );
}
