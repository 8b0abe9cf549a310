import { whereTo } from "@/components/notification-channels/channel-fields";
import { stateTone } from "@/components/notification-channels/words";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import { channelStateLabels, channelTypeLabels } from "@/lib/notification-channels/labels";

/** Channels, one per row, in the given order. */
export function ChannelsTable({ channels }: { channels: readonly NotificationChannel[] }) {
  return (
    <Table
      label="Notification channels"
      head={
        <>
          <Head className="w-64 max-sm:w-auto">Channel</Head>
          <Head className="w-36 max-sm:hidden">Type</Head>
          <Head className="max-lg:hidden">To</Head>
          <Head className="max-sm:w-32">State</Head>
          <Head className="w-36 max-md:hidden">Last sent</Head>
        </>
      }
    >
      {channels.map((channel) => (
        <ChannelRow key={channel.id} channel={channel} />
      ))}
    </Table>
  );
}

function ChannelRow({ channel }: { channel: NotificationChannel }) {
  const { id, name, type, state, last_error, disabled_reason, last_sent_at } = channel;
  const why = state === "failing" ? last_error : state === "disabled" ? (disabled_reason ?? "by a person") : null;
  return (
    <Row>
      <Data>
        <RowLink href={`/notification-channels/${id}`} className="font-medium">
          {name}
        </RowLink>
      </Data>
      <Data className="text-second max-sm:hidden">{channelTypeLabels[type]}</Data>
      <Data className="max-lg:hidden">
        <span className="font-mono text-second text-sm">{whereTo(channel) || "hidden"}</span>
      </Data>
      <Data>
        <Status tone={stateTone[state]}>{channelStateLabels[state]}</Status>
        {why !== null && (
          <span className="ml-2 text-second max-sm:hidden" title={why}>
            {why}
          </span>
        )}
      </Data>
      <Data className="text-second max-md:hidden">{last_sent_at === null ? "—" : <Ago value={last_sent_at} />}</Data>
    </Row>
  );
}
