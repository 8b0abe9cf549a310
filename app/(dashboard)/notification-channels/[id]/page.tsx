import type { Metadata } from "next";
import Link from "next/link";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { hrefWith } from "@/components/layout/href-with";
import { type SearchParams, single } from "@/components/layout/search-params";
import { ChannelActions } from "@/components/notification-channels/channel-actions";
import { ChannelFacts } from "@/components/notification-channels/channel-facts";
import { DeliveriesTable } from "@/components/notification-channels/deliveries-table";
import { EmptySection } from "@/components/states/empty-section";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { ApiError } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { canMail } from "@/lib/network/mail";
import { deliveryStatuses } from "@/lib/notification-channels/contract";
import { listNotificationDeliveries } from "@/lib/notification-channels/deliveries/list-deliveries";
import { getNotificationChannel } from "@/lib/notification-channels/get";
import { channelTypeLabels, deliveryStatusLabels } from "@/lib/notification-channels/labels";

export const metadata: Metadata = { title: "Notification channel" };

export default async function NotificationChannelPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const principal = await requirePrincipal();
  const channel = await orNotFound(params, (id) => getNotificationChannel(principal, { id }));
  const search = await single(searchParams);
  const status = deliveryStatuses.find((each) => each === search.status);
  const { items, nextCursor } = await readDeliveries(principal, channel.id, status, search.cursor);
  const reason = readOnlyReason(principal.permission);
  const path = `/notification-channels/${channel.id}`;
  return (
    <>
      <PageHeader
        back={{ href: "/notification-channels", label: "Notification channels" }}
        title={channel.name}
        actions={<ChannelActions channel={channel} canMail={canMail()} reason={reason} />}
      >
        {channelTypeLabels[channel.type]}
      </PageHeader>
      {channel.state === "disabled" && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="warn">
            {channel.disabled_reason ?? "A person disabled this channel."} It sends no messages; alerts meant only for
            it go to the other channels. Once it is fixed, send a test message and enable it.
          </Note>
        </div>
      )}
      <div className="px-4 pt-2 sm:px-5">
        <ChannelFacts channel={channel} />
      </div>
      <section className="pt-7">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-4 pb-2 sm:px-5">
          <h2 className="font-medium text-lg">Messages</h2>
          <nav aria-label="Messages by result" className="flex gap-4 text-second">
            {[undefined, ...deliveryStatuses].map((each) => (
              <Link
                key={each ?? "all"}
                prefetch={false}
                href={hrefWith(path, {}, { status: each ?? null })}
                aria-current={each === status ? "true" : undefined}
                className="hover:underline aria-current:text-ink aria-current:underline"
              >
                {each === undefined ? "All" : deliveryStatusLabels[each]}
              </Link>
            ))}
          </nav>
        </div>
        {items.length > 0 ? (
          <DeliveriesTable deliveries={items} reason={reason} />
        ) : (
          <EmptySection>
            {status === undefined ? "No messages in the last 30 days." : "No such messages in the last 30 days."}
          </EmptySection>
        )}
        {nextCursor !== null && (
          <p className="px-4 pt-3 sm:px-5">
            <LinkButton prefetch={false} href={hrefWith(path, search, { cursor: nextCursor })}>
              Older messages
            </LinkButton>
          </p>
        )}
      </section>
      <ResourceHistory principal={principal} type="notification_channel" id={channel.id} />
    </>
  );
}

/** A page of a channel's messages; the first page if the cursor belongs to other filters. */
async function readDeliveries(
  principal: Principal,
  channel_id: string,
  status: (typeof deliveryStatuses)[number] | undefined,
  cursor: string | undefined,
) {
  const query = { limit: 50, channel_id, status, alert_id: undefined };
  try {
    return await listNotificationDeliveries(principal, { ...query, cursor });
  } catch (error) {
    if (error instanceof ApiError && error.code === "INVALID_REQUEST") {
      return listNotificationDeliveries(principal, { ...query, cursor: undefined });
    }
    throw error;
  }
}
