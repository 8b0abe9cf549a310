import type { Batch, OmittedRange, SentEvent } from "@/lib/destinations/batches/batch";
import { formats } from "@/lib/destinations/formats";
import type { FormatName } from "@/lib/destinations/formats/names";
import type { Exchange, SendContext } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { senderOf } from "@/lib/destinations/senders";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { failureWords } from "@/lib/network/failure-words";
import { fetchGuarded } from "@/lib/network/http";
import { parseNetwork } from "@/lib/networks";
import { SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

export const DESTINATION_ID = "01a1fcff-0003-7420-917f-1d9e34253279";
/** An hour after the event of the tests. */
export const NOW = Date.parse(sentEvent.occurred_at) + 3_600_000;
const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };

/** A batch of `count` events from index 7 on, each with its own id. */
export function batchOf(count: number, changes: Partial<SentEvent> = {}, omitted: OmittedRange[] = []): Batch {
  const events = Array.from({ length: count }, (_, at) => ({
    ...{ ...sentEvent, ...changes },
    id: sentEvent.id.slice(0, -6) + String(100_000 + at),
    seal: { ...sentEvent.seal, index: 7 + at },
  }));
  return { origin: SENT_ORIGIN, epoch: 1, first: 7, end: 7 + count, events, omitted, proof: null };
}

/** Entries that retention deleted before they were sent: one record in each format. */
export const expired: OmittedRange = { first: 2, end: 7, reason: "expired", hashes: null };

export interface Sending {
  type: DestinationType;
  settings: Record<string, unknown>;
  secrets?: Record<string, unknown>;
  /** The type's default unless given. */
  format?: FormatName;
  signal?: AbortSignal;
  now?: number;
  guard?: SendContext["guard"];
  exchanges?: Exchange[];
}

/** Sends a batch as the worker does, with settings that the type accepts. */
export async function sendBatch(batch: Batch, sending: Sending): Promise<void> {
  const { type, format = shapeOf(type).formats[0], signal = new AbortController().signal, now = NOW } = sending;
  const shape = shapeOf(type);
  const target = {
    id: DESTINATION_ID,
    settings: shape.settings.parse(sending.settings),
    secrets: shape.secrets.parse(sending.secrets ?? {}),
    signingSecrets: [],
  };
  const allowed = sending.guard ?? guard;
  return senderOf(type)(batch, target, {
    ...{ signal, now, format: formats[format], isTest: false, guard: allowed },
    record: (exchange: Exchange) => sending.exchanges?.push(exchange),
    fetch: async ({ url, method, headers, body }) => {
      const asked = { method, headers: { ...headers }, signal, deadlineMs: 30_000, maxBytes: 65_536, ...allowed };
      return fetchGuarded(new URL(url), { ...asked, ...(body !== undefined && { body }) }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new SendFailure(failureWords(error));
      });
    },
  });
}

/** The failure of a batch that is not taken. */
export async function failureOf(sent: Promise<void>): Promise<SendFailure> {
  const failure = await sent.then(
    () => new Error("the batch was taken"),
    (error: unknown) => error,
  );
  if (failure instanceof SendFailure) return failure;
  throw failure;
}
