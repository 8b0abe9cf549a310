import { scopeOf } from "@/lib/audit-logs/scope";
import { db } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { type Cursor, MAX_EVENTS, readBatch } from "@/lib/destinations/batches/read-batch";
import { filtersOf } from "@/lib/destinations/destination";
import { formats } from "@/lib/destinations/formats";
import type { FormatName } from "@/lib/destinations/formats/names";
import type { Sent } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { senderOf } from "@/lib/destinations/senders";
import { attemptSignal } from "@/lib/destinations/sending/attempt-signal";
import { backOffMs } from "@/lib/destinations/sending/back-off";
import { type Leased, leaseDestinations, SLOTS } from "@/lib/destinations/sending/lease";
import { moveCursor } from "@/lib/destinations/sending/move-cursor";
import { pauseFailing } from "@/lib/destinations/sending/pause-failing";
import { sendContext } from "@/lib/destinations/sending/send-context";
import { targetOf } from "@/lib/destinations/sending/target";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { runLeasedWork } from "@/lib/jobs/leased-work";

/** How long one destination is served before others get its slot, in milliseconds. */
const TURN_MS = 10_000;
/** An attempt ends after this time, before its lease does, in milliseconds. */
const ATTEMPT_MS = 90_000;
const PAYLOAD_TOO_LARGE = 413;

/** How a turn of a destination ended. */
interface Turn {
  /** With the lease that it ended with. */
  item: Leased;
  failure: SendFailure | null;
}

/**
 * The worker's job: sends each destination what it has not got of the sealed log, in order. The place in the log moves only when the
 * receiver has a batch, so that a batch is sent again after a crash. A lease divides the destinations among several processes.
 */
export async function streamDue(signal: AbortSignal): Promise<void> {
  let isSomeFailing = false;
  const write = async (turns: readonly Turn[]) => {
    for (const turn of turns) {
      if (turn.failure !== null) isSomeFailing = true;
      await endTurn(turn);
    }
  };
  const idOf = ({ item }: Turn) => item.id;
  const job = { what: "destination", slots: SLOTS, lease: leaseDestinations, work: takeTurn, idOf, write };
  await runLeasedWork(job, signal);
  if (isSomeFailing) await pauseFailing();
}

/** Sends batches until nothing is left, one is not taken, or time is up. */
async function takeTurn(leased: Leased, signal: AbortSignal): Promise<Turn> {
  const end = performance.now() + TURN_MS;
  let item = leased;
  let maxEvents = MAX_EVENTS;
  try {
    while (performance.now() < end && !signal.aborted) {
      const step = await sendNext(item, maxEvents, signal);
      if (step === "end") break;
      if (step === "smaller") maxEvents = Math.floor(maxEvents / 2);
      else item = { ...item, ...step };
    }
  } catch (error) {
    if (error instanceof SendFailure) return { item, failure: error };
    if (signal.aborted) return { item, failure: null };
    if (isAway(error)) throw error;
    logFailure("a batch of the audit log could not be sent", error, { destination_id: item.id });
    return { item, failure: new SendFailure("Sealwatch failed; the operator finds the reason in its log") };
  }
  return { item, failure: null };
}

type Step = { cursor: Cursor; leasedUntil: Date } | "smaller" | "end";

async function sendNext(item: Leased, maxEvents: number, signal: AbortSignal): Promise<Step> {
  const { organizationId, cursor } = item;
  const type = item.type as DestinationType;
  const { oldest } = await scopeOf(organizationId);
  const { needsProof = false } = shapeOf(type);
  const query = { organizationId, filters: filtersOf(item.query), oldest, maxEvents, needsProof };
  const next = await readBatch(auditPool(), query, cursor);
  if (next === null) return "end";
  let sent: Sent | null = null;
  if (next.batch !== null) {
    const attempt = attemptSignal(signal, ATTEMPT_MS);
    const context = sendContext(attempt.signal, formats[item.format as FormatName]);
    try {
      sent = await senderOf(type)(next.batch, targetOf(item, context.now), context);
    } catch (error) {
      if (attempt.signal.aborted && !signal.aborted) throw new SendFailure("no response in time");
      const isTooLarge = error instanceof SendFailure && error.status === PAYLOAD_TOO_LARGE;
      if (isTooLarge && next.batch.events.length > 1 && maxEvents > 1) return "smaller";
      throw error;
    } finally {
      attempt.end();
    }
  }
  return (await moveCursor(item, next, sent)) ?? "end";
}

/** Ends the lease; after a failure with a wait. Somebody who changed the destination meanwhile has ended it already. */
async function endTurn({ item, failure }: Turn): Promise<void> {
  const { organizationId, id, leasedUntil } = item;
  const where = { organizationId, id, leasedUntil };
  const now = new Date();
  if (failure === null) {
    await db().destination.updateMany({ where, data: { leasedUntil: null, nextAt: now } });
    return;
  }
  const failures = item.failures + 1;
  await db().destination.updateMany({
    where,
    data: {
      ...{
        leasedUntil: null,
        nextAt: new Date(now.getTime() + backOffMs(failures, failure.retryAfterMs, Math.random())),
      },
      ...{ failures, lastFailedAt: now, lastError: failure.message, lastStatus: failure.status },
      lastEvidence: failure.evidence,
    },
  });
  await db().destination.updateMany({
    where: { organizationId, id, failures, failingSince: null },
    data: { failingSince: now },
  });
}
