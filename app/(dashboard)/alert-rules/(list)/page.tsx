import type { Metadata } from "next";
import { NewRuleButton } from "@/components/alert-rules/new-rule-button";
import { RulesTable } from "@/components/alert-rules/rules-table";
import { knownNames } from "@/components/audit-logs/filters/known-values";
import { NewestOnly } from "@/components/layout/newest-only";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { requirePrincipal } from "@/lib/auth/session";
import { listNotificationChannels } from "@/lib/notification-channels/list";

export const metadata: Metadata = { title: "Alert rules" };

const PAGE = { limit: 200, cursor: undefined };

export default async function AlertRulesPage() {
  const principal = await requirePrincipal();
  const [{ items, nextCursor }, { items: channels }] = await Promise.all([
    listAlertRules(principal, PAGE),
    listNotificationChannels(principal, PAGE),
  ]);
  const known = await knownNames(principal, JSON.stringify(items.map(({ condition }) => condition)));
  const rules = items.sort((a, b) => a.name.localeCompare(b.name, "en"));
  const isMute = !channels.some(({ state }) => state !== "disabled");
  return (
    <>
      <PageHeader title="Alert rules" actions={<NewRuleButton reason={readOnlyReason(principal.permission)} />}>
        When alerts open, and which channels they notify.
      </PageHeader>
      {isMute && rules.length > 0 && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="warn">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              No channel is {channels.length > 0 ? "enabled" : "set up"}: nobody will be notified.
              <LinkButton href="/notification-channels">
                {channels.length > 0 ? "View channels" : "Set up a channel"}
              </LinkButton>
            </span>
          </Note>
        </div>
      )}
      {rules.length > 0 ? (
        <RulesTable rules={rules} channels={new Map(channels.map(({ id, name }) => [id, name]))} known={known} />
      ) : (
        <EmptyState title="No alert rules yet">
          A rule defines when an alert opens: when a certificate expires soon or has a problem, a monitor is down, or a
          key is used from a new country. Without a rule, no alert opens.
        </EmptyState>
      )}
      <NewestOnly count={rules.length} next={nextCursor} />
    </>
  );
}
