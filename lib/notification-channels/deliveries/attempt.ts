import { config } from "@/lib/config";
import type { NotificationChannel as ChannelRow } from "@/lib/db/generated/app/client";
import { openChannel } from "@/lib/notification-channels/channel";
import type { Message } from "@/lib/notification-channels/providers/message";
import { failed, type Sent } from "@/lib/notification-channels/providers/provider";
import { send } from "@/lib/notification-channels/providers/send";
import { span } from "@/lib/tracing/span";

/** Seconds that a process has to send a message and record the result, before another process repeats it. */
export const LEASE_SECONDS = 60;

/** A delivery that this process has leased, with its channel. */
export interface Leased {
  organizationId: string;
  id: string;
  /** Including this attempt. */
  attempts: number;
  /** Identifies the lease; after this time another process may have the delivery. */
  leasedUntil: Date;
  message: Message;
  channel: Pick<ChannelRow, "organizationId" | "id" | "name" | "type" | "settings" | "secrets">;
}

/** Sends a message once. Never rejects. Never call it within a database transaction. */
export async function attempt({ id, attempts, message, channel }: Leased): Promise<Sent> {
  const at = new Date();
  const guard = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS };
  try {
    const open = openChannel(channel, at);
    const of = { "sealwatch.notification_channel_id": channel.id, "sealwatch.channel_type": channel.type };
    const context = {
      ...{ id, at, guard, attempt: attempts },
      channel: { name: channel.name, url: `${config().PUBLIC_URL}/notification-channels/${channel.id}` },
    };
    return await span("send notification", of, () => send(open, message, context), "client");
  } catch {
    return failed("its secrets cannot be decrypted: ENCRYPTION_KEY has changed since they were saved", true);
  }
}
