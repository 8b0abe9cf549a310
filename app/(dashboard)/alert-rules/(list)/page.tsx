import type { Metadata } from "next";
import { NewRuleButton } from "@/components/alert-rules/new-rule-button";
import { RulesTable } from "@/components/alert-rules/rules-table";
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
            No channel is {channels.length > 0 ? "enabled" : "set up"}: nobody will be notified.{" "}
            <LinkButton href="/notification-channels" className="ml-1">
              {channels.length > 0 ? "Look at the channels" : "Set one up"}
            </LinkButton>
          </Note>
        </div>
      )}
      {rules.length > 0 ? (
        <RulesTable rules={rules} channels={new Map(channels.map(({ id, name }) => [id, name]))} />
      ) : (
        <EmptyState title="Nothing is looked for">
          A rule names what is worth an alert: little time left, a problem with a certificate, a monitor that is down, a
          key that is used from a new country. Without one, nothing alerts.
        </EmptyState>
      )}
      <NewestOnly count={rules.length} next={nextCursor} />
    </>
  );
}
