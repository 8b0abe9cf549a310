import type { Guard } from "@/lib/network/guarded-lookup";
import type { Message } from "@/lib/notification-channels/providers/message";
import { DAY_MS } from "@/lib/time/units";

/** The context of sending a message. */
export interface Circumstances {
  /** The delivery's id: the same for every attempt, so that providers can detect duplicates. */
  id: string;
  at: Date;
  /** 1 for the first. */
  attempt: number;
  guard: Guard;
  /** The channel that sends, and its page in the dashboard: people get the message because of it. */
  channel: { name: string; url: string };
}

/** The result of an attempt. `isFinal`: another attempt would fail too. */
export type Sent =
  /** `warning`: what did not work nevertheless. */
  | { ok: true; warning?: string }
  | {
      ok: false;
      reason: string;
      isFinal: boolean;
      /** The wait that the provider requests. */
      retryAfterMs: number | null;
      /** Not the channel's fault: it never disables it, and is repeated after `retryAfterMs` whatever the number of attempts. */
      isUncounted?: true;
      /** Some recipients have it. */
      isPartlySent?: true;
    };

/** Sends a message through one type of channel. Never rejects: errors are part of the result. */
export type Send<Settings> = (settings: Settings, message: Message, circumstances: Circumstances) => Promise<Sent>;

/** Milliseconds for which a message waits for this installation to be able to send it. */
const MAX_POSTPONED_MS = 3 * DAY_MS;

/** The installation cannot send the message at present, which has nothing to do with the channel. */
export function postponed({ at }: Message, reason: string, retryAfterMs: number): Sent {
  const isFinal = Date.now() - Date.parse(at) > MAX_POSTPONED_MS;
  return { ok: false, reason, isFinal, retryAfterMs, isUncounted: true };
}

/** A failure; final failures are not retried. */
export function failed(reason: string, isFinal: boolean, retryAfterMs: number | null = null): Sent {
  return { ok: false, reason, isFinal, retryAfterMs };
}
