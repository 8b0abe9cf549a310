import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import type { Batch } from "@/lib/destinations/batches/batch";
import { readBatch } from "@/lib/destinations/batches/read-batch";
import { filtersOf } from "@/lib/destinations/destination";
import { formats } from "@/lib/destinations/formats";
import type { FormatName } from "@/lib/destinations/formats/names";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { senderOf } from "@/lib/destinations/senders";
import { withoutSecrets } from "@/lib/destinations/sending/hide-secrets";
import type { Leased } from "@/lib/destinations/sending/lease";
import { beginAttempt, moveCursor } from "@/lib/destinations/sending/move-cursor";
import { sendContext } from "@/lib/destinations/sending/send-context";
import { targetOf } from "@/lib/destinations/sending/target";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { limitedSignal } from "@/lib/limited-signal";
import { span } from "@/lib/tracing/span";

/** An attempt ends after this time, before its lease does, in milliseconds. */
const ATTEMPT_MS = 90_000;
const PAYLOAD_TOO_LARGE = 413;

/** A leased destination while it is served. */
export interface SendState {
  /** With the current lease and position in the log. */
  item: Leased;
  /** Smaller after the receiver has refused a batch for its size. */
  maxEvents: number;
}

/** Sends the next batch. Returns whether to go on. Throws SendFailure if the receiver has not taken it. */
export async function sendNext(state: SendState, signal: AbortSignal): Promise<boolean> {
  const { item, maxEvents } = state;
  const { organizationId, cursor } = item;
  const kept = await scopeOf(organizationId);
  const { needsProof = false } = shapeOf(item.type as DestinationType);
  const filters = filtersOf(item.query);
  const query = { organizationId, filters, kept, maxEvents, needsProof, until: item.attemptEnd };
  const next = await readBatch(auditPool(), query, cursor);
  if (next === null) return false;
  if (next.batch !== null) {
    const begun = await beginAttempt(item, next.batch.end);
    if (begun === null) return false;
    state.item = begun;
    if (!(await attempt(state, next.batch, signal))) return true;
  }
  const moved = await moveCursor(state.item, next);
  if (moved === null) return false;
  state.item = { ...state.item, ...moved };
  return true;
}

/** Sends one batch. False if a smaller one is to be tried. */
async function attempt(state: SendState, batch: Batch, signal: AbortSignal): Promise<boolean> {
  const { id, type, format } = state.item;
  const limited = limitedSignal(signal, ATTEMPT_MS);
  const context = sendContext(limited.signal, formats[format as FormatName]);
  try {
    const target = targetOf(state.item, context.now);
    const send = () => withoutSecrets(senderOf(type as DestinationType)(batch, target, context), target);
    const of = {
      ...{ "sealwatch.destination_id": id, "sealwatch.destination_type": type },
      "sealwatch.events": batch.events.length,
    };
    await span("send batch", of, send, "client");
    return true;
  } catch (error) {
    if (limited.signal.aborted && !signal.aborted) throw new SendFailure("no response in time");
    const isTooLarge = error instanceof SendFailure && error.status === PAYLOAD_TOO_LARGE;
    if (!isTooLarge || batch.events.length < 2) throw error;
    state.maxEvents = Math.floor(Math.min(state.maxEvents, batch.events.length) / 2);
    state.item = { ...state.item, attemptEnd: null };
    return false;
  } finally {
    limited.end();
  }
}
