import type { Metadata } from "next";
import { memberChanges } from "@/components/audit-logs/changes/read-changes";
import { ChangeHistory } from "@/components/audit-logs/changes/resource-history";
import { InvalidView, Pages } from "@/components/layout/list-ends";
import { NewestOnly } from "@/components/layout/newest-only";
import { readList } from "@/components/layout/read-list";
import { type SearchParams, single } from "@/components/layout/search-params";
import { activityPath } from "@/components/organizations/activity-path";
import { Invite } from "@/components/organizations/invite";
import { MemberMenu } from "@/components/organizations/member-menu";
import { WithdrawInvitation } from "@/components/organizations/withdraw-invitation";
import { readOnlyReason } from "@/components/states/read-only";
import { RowLink } from "@/components/table/row-link";
import { ActionsHead, Data, Head, Row, Table } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Badge, Status } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { invitationStatusLabels } from "@/lib/invitations/labels";
import { listInvitations } from "@/lib/invitations/list";
import { listMembers as contract } from "@/lib/organizations/contract";
import { countAdmins } from "@/lib/organizations/count-admins";
import { listMembers } from "@/lib/organizations/list-members";

export const metadata: Metadata = { title: "Members" };

const PATH = "/members";

export default async function MembersPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const { cursor } = await single(searchParams);
  const params = cursor === undefined ? {} : { cursor };
  const id = principal.organizationId;
  const [{ page, fault }, invitations, admins] = await Promise.all([
    readList(contract.query, { limit: "200", ...params }, (query) => listMembers(principal, { id, ...query })),
    listInvitations(principal, { id, limit: 200, cursor: undefined }),
    countAdmins(principal),
  ]);
  const reason = readOnlyReason(principal.permission);
  const self = principal.actor.type === "user" ? principal.actor.id : null;
  return (
    <>
      <PageHeader title="Members" actions={<Invite organizationId={id} reason={reason} />}>
        Admins can change everything, readers can view everything. A change applies from the member’s next request on.
      </PageHeader>
      {fault !== null ? (
        <InvalidView path={PATH} words={fault} />
      ) : (
        <Table
          label="Members"
          head={
            <>
              <Head className="w-64 max-lg:w-auto">Name</Head>
              <Head className="max-md:hidden">E-mail</Head>
              <Head className="w-28 max-sm:w-20">Permission</Head>
              <Head className="w-36 max-sm:hidden">Member since</Head>
              <ActionsHead />
            </>
          }
        >
          {page.items.map((member) => (
            <Row key={member.user_id}>
              <Data className="font-medium">
                <RowLink href={activityPath(member.user_id)} title={`Activity of ${member.email}`}>
                  <bdi>{member.name}</bdi>
                </RowLink>
                {member.user_id === self && (
                  <span className="ml-2">
                    <Badge>you</Badge>
                  </span>
                )}
              </Data>
              <Data className="text-second max-md:hidden">{member.email}</Data>
              <Data>{member.permission}</Data>
              <Data className="text-second max-sm:hidden">
                <Time value={member.created_at} style="day" />
              </Data>
              <Data className="text-right">
                <MemberMenu
                  organizationId={id}
                  member={member}
                  isSelf={member.user_id === self}
                  isLastAdmin={member.permission === "admin" && admins === 1}
                  reason={reason}
                />
              </Data>
            </Row>
          ))}
        </Table>
      )}
      {page !== null && <Pages path={PATH} params={params} next={page.nextCursor} />}
      <section className="mt-8">
        <h2 className="px-4 pb-2 font-medium sm:px-5">Invitations</h2>
        {invitations.items.length === 0 ? (
          <p className="border-t px-4 py-2 text-second sm:px-5">
            No invitations. An invitation is valid for 7 days and only for the person who signs in with its e-mail
            address.
          </p>
        ) : (
          <Table
            label="Invitations"
            head={
              <>
                <Head>E-mail</Head>
                <Head className="w-28 max-md:hidden">Permission</Head>
                <Head className="w-24">Status</Head>
                <Head className="w-48 max-lg:hidden">Invited by</Head>
                <Head className="w-32 max-sm:hidden">Expires</Head>
                <Head className="w-32 pointer-coarse:w-36">
                  <span className="sr-only">Withdraw</span>
                </Head>
              </>
            }
          >
            {invitations.items.map(({ id: invitation, email, permission, status, created_by, expires_at }) => (
              <Row key={invitation}>
                <Data>
                  <span title={email}>{email}</span>
                </Data>
                <Data className="max-md:hidden">{permission}</Data>
                <Data>
                  <Status tone={status === "pending" ? "good" : "neutral"}>{invitationStatusLabels[status]}</Status>
                </Data>
                <Data className="text-second max-lg:hidden">{created_by}</Data>
                <Data className="text-second max-sm:hidden">
                  <Ago value={expires_at} />
                </Data>
                <Data className="text-right">
                  <WithdrawInvitation organizationId={id} id={invitation} email={email} reason={reason} />
                </Data>
              </Row>
            ))}
          </Table>
        )}
        <NewestOnly count={invitations.items.length} next={invitations.nextCursor} />
      </section>
      <ChangeHistory principal={principal} filters={memberChanges} />
    </>
  );
}
