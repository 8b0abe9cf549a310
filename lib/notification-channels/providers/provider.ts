import type { Guard } from "@/lib/network/guarded-lookup";
import type { Message } from "@/lib/notification-channels/providers/message";

/** Under which circumstances a message is sent. */
export interface Circumstances {
  /** Of the delivery: the same at every attempt, so that a provider that can tells repetitions apart. */
  id: string;
  at: Date;
  guard: Guard;
  /** What must not be repeated in a reason, also where a provider's answer repeats it. */
  secrets?: readonly string[];
}

/** How an attempt went. `isFinal` says that another would go the same way. */
export type Sent =
  | { ok: true }
  | { ok: false; reason: string; isFinal: boolean /** What the provider asks to wait. */; retryAfterMs: number | null };

/** Sends a message by one kind of channel. Never rejects: what goes wrong is told. */
export type Send<Settings> = (settings: Settings, message: Message, circumstances: Circumstances) => Promise<Sent>;

/** A failure, of which `isFinal` ones are not tried again. */
export function failed(reason: string, isFinal: boolean, retryAfterMs: number | null = null): Sent {
  return { ok: false, reason, isFinal, retryAfterMs };
}
