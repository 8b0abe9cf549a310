import type { Metadata } from "next";
import { NewestOnly } from "@/components/layout/newest-only";
import { AddChannel } from "@/components/notification-channels/add-channel";
import { ChannelsTable } from "@/components/notification-channels/channels-table";
import { DeliveriesTable } from "@/components/notification-channels/deliveries-table";
import { EmptyState } from "@/components/states/empty-state";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { canMail } from "@/lib/network/mail";
import { listNotificationDeliveries } from "@/lib/notification-channels/deliveries/list-deliveries";
import { listNotificationChannels } from "@/lib/notification-channels/list";

export const metadata: Metadata = { title: "Notification channels" };

export default async function NotificationChannelsPage() {
  const principal = await requirePrincipal();
  const reason = readOnlyReason(principal.permission);
  const [{ items: channels, nextCursor }, { items: deliveries }] = await Promise.all([
    listNotificationChannels(principal, { limit: 200, cursor: undefined }),
    listNotificationDeliveries(principal, {
      limit: 10,
      cursor: undefined,
      channel_id: undefined,
      status: undefined,
      alert_id: undefined,
    }),
  ]);
  return (
    <>
      <PageHeader title="Notification channels" actions={<AddChannel canMail={canMail()} reason={reason} />}>
        Where Sealwatch sends alerts.
      </PageHeader>
      {channels.length > 0 ? (
        <ChannelsTable channels={channels} />
      ) : (
        <EmptyState title="No channels yet">
          Alerts open and resolve without a channel, but nobody is notified. Add e-mail, a webhook, Slack, Microsoft
          Teams, Discord, PagerDuty, Telegram or ntfy. Existing rules notify every channel.
        </EmptyState>
      )}
      <NewestOnly count={channels.length} next={nextCursor} />
      {deliveries.length > 0 && (
        <section className="pt-7">
          <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Latest messages</h2>
          <DeliveriesTable deliveries={deliveries} reason={reason} named />
        </section>
      )}
    </>
  );
}
