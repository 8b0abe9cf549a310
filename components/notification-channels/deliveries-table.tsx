import Link from "next/link";
import { RetryDelivery } from "@/components/notification-channels/retry-delivery";
import { deliveryTone } from "@/components/notification-channels/words";
import { Data, Head, Row, Table, wrapsOnPhones } from "@/components/table/table";
import { Ago, Time } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import type { NotificationDelivery } from "@/lib/notification-channels/contract";
import { deliveryStatusLabels } from "@/lib/notification-channels/labels";
import { plural } from "@/lib/text/counts";

/** On phones, the columns before the message are hidden; the time and the error stand below it. */
const first = "max-sm:pl-4!";

/** Messages and their results. `named` adds the name of the channel. */
export function DeliveriesTable({
  deliveries,
  reason,
  named = false,
}: {
  deliveries: readonly NotificationDelivery[];
  /** Why the reader may not retry; null if they may. */
  reason: string | null;
  named?: boolean;
}) {
  const isAnyFailed = deliveries.some(({ status }) => status === "failed");
  return (
    <Table
      label="Messages"
      head={
        <>
          <Head className="w-44 max-sm:hidden">Time</Head>
          {named && <Head className="w-44 xl:w-60 max-sm:hidden">Channel</Head>}
          <Head className={first}>Message</Head>
          <Head className="w-96 max-xl:w-72 max-lg:w-48 max-md:w-28">Result</Head>
          {isAnyFailed && (
            <Head className="w-28 max-sm:w-24">
              <span className="sr-only">Send again</span>
            </Head>
          )}
        </>
      }
    >
      {deliveries.map((delivery) => (
        <Row key={delivery.id}>
          <Data className="text-second max-sm:hidden">
            <Time value={delivery.created_at} />
          </Data>
          {named && (
            <Data className="max-sm:hidden">
              <Link
                prefetch={false}
                href={`/notification-channels/${delivery.channel.id}`}
                className="rounded-xs hover:underline"
              >
                {delivery.channel.name}
              </Link>
            </Data>
          )}
          <Data className={`${first} ${wrapsOnPhones}`}>
            <span title={delivery.title}>{delivery.title}</span>
            <span className="block text-second text-sm sm:hidden">
              <Time value={delivery.created_at} />
              {delivery.status !== "sent" && delivery.error !== null && ` · ${delivery.error}`}
            </span>
          </Data>
          <Data>
            <Result delivery={delivery} />
          </Data>
          {isAnyFailed && (
            <Data numeric>
              {delivery.status === "failed" && (
                <RetryDelivery id={delivery.id} title={delivery.title} reason={reason} />
              )}
            </Data>
          )}
        </Row>
      ))}
    </Table>
  );
}

function Result({ delivery: { status, error, attempts, next_attempt_at } }: { delivery: NotificationDelivery }) {
  const isNew = status === "pending" && attempts === 0;
  const more = error === null ? null : `${error}, ${plural(attempts, "attempt")}`;
  return (
    <span title={more ?? undefined}>
      <Status tone={isNew ? "neutral" : deliveryTone[status]}>{deliveryStatusLabels[status]}</Status>
      {status !== "sent" && more !== null && <span className="ml-2 text-second max-sm:hidden">{more}</span>}
      {status === "pending" && !isNew && next_attempt_at !== null && (
        <span className="text-second max-sm:hidden">
          ; retry <Ago value={next_attempt_at} />
        </span>
      )}
    </span>
  );
}
