import { config } from "@/lib/config";
import { log } from "@/lib/log";
import { openChannel, type SendingChannel } from "@/lib/notification-channels/channel";
import { claimRecipients } from "@/lib/notification-channels/deliveries/claim-recipients";
import type { Message } from "@/lib/notification-channels/providers/message";
import { failed, postponed, type Sent } from "@/lib/notification-channels/providers/provider";
import { type OpenChannel, send } from "@/lib/notification-channels/providers/send";
import { settingsOf } from "@/lib/notification-channels/providers/settings";
import { span } from "@/lib/tracing/span";

/** Seconds that a process has to send a message and record the result, before another process repeats it. */
export const LEASE_SECONDS = 60;

/** Milliseconds after its lease in which sending may begin: an e-mail takes up to 30 s, and recording the result some more. */
const MAX_HELD_UP_MS = 25_000;
/** Says nothing of the channel. */
const HELD_UP: Sent = {
  ...{ ok: false, reason: "not sent in time: this process or its database was held up", isFinal: false },
  ...{ retryAfterMs: 0, isUncounted: true },
};

/** An evaluation that read the channels before this one was disabled may queue messages afterwards. Says nothing of the channel either. */
const DISABLED: Sent = {
  ...{ ok: false, reason: "its channel was disabled", isFinal: true },
  ...{ retryAfterMs: null, isUncounted: true },
};

/** Whether the channel shows a failure as its own. */
export const isOfChannel = (sent: Sent) => sent !== HELD_UP && sent !== DISABLED;

/** A delivery that this process has leased, with its channel. */
export interface Leased {
  organizationId: string;
  id: string;
  /** Including this attempt. */
  attempts: number;
  /** Identifies the lease; after this time another process may have the delivery. */
  leasedUntil: Date;
  /** When the lease was asked for, by `performance.now()`. */
  leasedAt: number;
  message: Message;
  channel: SendingChannel & { enabled: boolean };
}

/**
 * Sends a message once; a test also through a disabled channel. Rejects only if the database is unavailable. Never call it within a
 * database transaction.
 */
export async function attempt({ organizationId, id, attempts, leasedAt, message, channel }: Leased): Promise<Sent> {
  if (!channel.enabled && message.kind !== "test") return DISABLED;
  const at = new Date();
  const guard = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS };
  const open = opened(channel, at);
  if (open === null) {
    return failed("its secrets cannot be decrypted: ENCRYPTION_KEY has changed since they were saved", true);
  }
  const recipients = recipientsByUs(open);
  const claim = recipients > 0 ? await claimRecipients(organizationId, recipients) : null;
  // An e-mail beyond the allowance of the day waits for the next one.
  if (claim !== null && "refusal" in claim) return postponed(message, claim.refusal, claim.tomorrowInMs);
  // Another process may send it as soon as the lease has ended.
  if (performance.now() - leasedAt > MAX_HELD_UP_MS) {
    await claim?.release();
    return HELD_UP;
  }
  const of = { "sealwatch.notification_channel_id": channel.id, "sealwatch.channel_type": channel.type };
  const context = {
    ...{ id, at, guard, attempt: attempts },
    channel: { name: channel.name, url: `${config().PUBLIC_URL}/notification-channels/${channel.id}` },
  };
  const sent = await span("send notification", of, () => send(open, message, context), "client").catch(
    (error: unknown) => {
      log.error({ err: error, delivery_id: id }, "a message could not be composed");
      return failed("the message could not be composed", true);
    },
  );
  if (!sent.ok && sent.isPartlySent !== true) await claim?.release();
  return sent;
}

function opened(channel: Leased["channel"], at: Date): OpenChannel | null {
  try {
    return openChannel(channel, at);
  } catch {
    return null;
  }
}

/** The number of recipients to which the installation's mail server would send. */
function recipientsByUs({ type, settings }: OpenChannel): number {
  const email = type === "email" ? settingsOf.email.safeParse(settings).data : undefined;
  return email?.smtp_url === null ? email.to.length : 0;
}
