import type { Metadata } from "next";
import { AlertView } from "@/components/alerts/alert-view";
import { noMessagesWords } from "@/components/alerts/words";
import { DeliveriesTable } from "@/components/notification-channels/deliveries-table";
import { EmptySection } from "@/components/states/empty-section";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { getAlert } from "@/lib/alerts/get";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { requirePrincipal } from "@/lib/auth/session";
import { listNotificationDeliveries } from "@/lib/notification-channels/deliveries/list-deliveries";

export const metadata: Metadata = { title: "Alert" };

export default async function AlertPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const alert = await orNotFound(params, (id) => getAlert(principal, { id }));
  const reason = readOnlyReason(principal.permission);
  const [{ items: deliveries }, { items: rules }] = await Promise.all([
    listNotificationDeliveries(principal, {
      limit: 50,
      cursor: undefined,
      channel_id: undefined,
      status: undefined,
      alert_id: alert.id,
    }),
    listAlertRules(principal, { limit: 200, cursor: undefined }),
  ]);
  const rule = rules.find(({ id }) => id === alert.rule.id);
  return (
    <AlertView alert={alert} reader={principal.actor.name} reason={reason} rule={rule ?? null}>
      <section className="pt-7">
        <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Messages</h2>
        {deliveries.length > 0 ? (
          <DeliveriesTable deliveries={deliveries} reason={reason} named />
        ) : (
          <EmptySection>{noMessagesWords(alert.timeline)}</EmptySection>
        )}
      </section>
    </AlertView>
  );
}
