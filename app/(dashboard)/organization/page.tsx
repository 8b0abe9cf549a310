import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import {
  DeleteOrganization,
  LeaveOrganization,
  RestoreOrganization,
} from "@/components/organizations/end-organization";
import { NewOrganization, RenameOrganization } from "@/components/organizations/organization-actions";
import { readOnlyReason } from "@/components/states/read-only";
import { Ago, Time } from "@/components/time/time";
import { plural } from "@/components/time/time-format";
import { buttonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { API_PREFIX } from "@/lib/http/endpoint";
import { countAdmins } from "@/lib/organizations/count-admins";
import { getOrganization } from "@/lib/organizations/get";

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
            {deletion.requested_by} asked for the deletion of this organization <Ago value={deletion.requested_at} />.
            Everything it has is deleted for good <Time value={deletion.due_at} />. Until then all goes on.
          </Note>
          <RestoreOrganization id={id} reason={reason} />
        </div>
      )}
      <div className="max-w-2xl px-4 pb-6 sm:px-5">
        <DefinitionGroup>
          <Definition name="Id" mono>
            {id} <CopyButton text={id} what="the id" className="-my-1 align-middle" />
          </Definition>
          <Definition name="Slug" mono>
            {slug}
          </Definition>
          <Definition name="Created">
            <Time value={created_at} style="day" />
          </Definition>
          <Definition name="You are">
            {permission === "admin" ? "an admin" : "a reader: you look, and change nothing"}
          </Definition>
          <Definition name="Plan">
            <Link href="/billing" className="underline decoration-strong underline-offset-2 hover:decoration-current">
              {plan}
            </Link>
          </Definition>
          <Definition name="Audit log">
            Entries are kept for {plural(audit_retention_days, "day")}, as the plan has it.
          </Definition>
        </DefinitionGroup>
      </div>
      <Part title="Export">
        <p>
          All that the organization has, as lines of JSON: members, keys, certificates, endpoints, monitors with what
          was measured, alerts, channels. Secrets are in none of it. The audit log has a file of its own.
        </p>
        <div className="flex flex-wrap gap-2">
          <a href={`${API_PREFIX}/organizations/${id}/export`} download className={buttonClass()}>
            Export everything
          </a>
          <a href={`${API_PREFIX}/audit-logs/export?format=ndjson`} download className={buttonClass()}>
            Export the audit log
          </a>
        </div>
      </Part>
      <Part title="Leave">
        <p>You lose access at once; API keys that you made go on working.</p>
        <LeaveOrganization
          id={id}
          name={name}
          reason={lone ? "You are the only admin: make somebody else one first, or delete the organization." : null}
        />
      </Part>
      {deletion === null && (
        <Part title="Delete">
          <p>
            Everything is deleted after 14 days, the audit log included, whatever the plan keeps. Until then all goes
            on, and an admin can take it back. A running subscription has to be ended first.
          </p>
          <DeleteOrganization id={id} name={name} reason={reason} />
        </Part>
      )}
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
