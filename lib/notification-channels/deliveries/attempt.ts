import { config } from "@/lib/config";
import type { NotificationChannel as ChannelRow } from "@/lib/db/generated/app/client";
import { openChannel } from "@/lib/notification-channels/channel";
import type { Message } from "@/lib/notification-channels/providers/message";
import { failed, type Sent } from "@/lib/notification-channels/providers/provider";
import { send } from "@/lib/notification-channels/providers/send";

/** Seconds that one process may take to send a message and write how that went, before another one does it again. */
export const LEASE_SECONDS = 60;

/** A delivery that this process may send now, with the channel it goes to. */
export interface Leased {
  organizationId: string;
  id: string;
  /** This one included. */
  attempts: number;
  /** Which lease this is: after it another process may have the delivery. */
  leasedUntil: Date;
  message: Message;
  channel: Pick<ChannelRow, "organizationId" | "id" | "type" | "settings" | "secrets">;
}

/** Sends a message once. Never within a database transaction, and never rejects. */
export async function attempt({ id, message, channel }: Leased): Promise<Sent> {
  const at = new Date();
  const guard = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS };
  try {
    return await send(openChannel(channel, at), message, { id, at, guard });
  } catch {
    return failed("its secrets cannot be read: ENCRYPTION_KEY is not the one they were saved with", true);
  }
}
