import { inTransaction, pool, queryIn } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { MAX_EVENTS } from "@/lib/destinations/batches/read-batch";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { addError } from "@/lib/destinations/sending/add-error";
import { backOffMs } from "@/lib/destinations/sending/back-off";
import { type Leased, leaseDestinations, SLOTS } from "@/lib/destinations/sending/lease";
import { pauseFailing } from "@/lib/destinations/sending/pause-failing";
import { type SendState, sendNext } from "@/lib/destinations/sending/send-next";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { followUp } from "@/lib/jobs/follow-up";
import { givingWay } from "@/lib/jobs/give-way";
import { runLeasedWork } from "@/lib/jobs/leased-work";

/** How long one destination is served before others get its slot, in milliseconds. */
const TURN_MS = 10_000;

/** How a turn of a destination ended. */
interface Turn {
  /** With the lease that it ended with. */
  item: Leased;
  failure: SendFailure | null;
  /** Whether nothing is left to send. */
  isDone: boolean;
}

/**
 * Worker job: sends each destination what it has not got of the sealed log, in order. The position in the log moves only when the
 * receiver has a batch, so that a batch is sent again after a crash. A lease divides the destinations among several processes.
 */
export async function streamDue(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  const pausing = followUp(pauseFailing);
  const write = async (turns: readonly Turn[]) => {
    await pausing.runIfDue();
    for (const turn of turns) {
      if (turn.failure !== null) pausing.request();
      await endTurn(turn);
    }
  };
  const idOf = ({ item }: Turn) => item.id;
  const job = {
    what: "destination",
    kind: "destination" as const,
    slots: SLOTS,
    lease: leaseDestinations,
    work: takeTurn,
    idOf,
    write,
  };
  try {
    await runLeasedWork(job, signal, onProgress);
  } finally {
    await pausing.runAtEnd();
  }
}

/** Sends batches until nothing is left, one is not taken, or time is up. A backlog gives way to requests. */
async function takeTurn(leased: Leased, signal: AbortSignal): Promise<Turn> {
  const end = performance.now() + TURN_MS;
  const state: SendState = { item: leased, maxEvents: MAX_EVENTS };
  let isDone = false;
  const endWith = (failure: SendFailure | null): Turn => ({ item: state.item, failure, isDone });
  try {
    const giveWay = givingWay(signal);
    while (performance.now() < end && !signal.aborted && !isDone) {
      isDone = !(await sendNext(state, signal));
      if (!isDone) await giveWay();
    }
  } catch (error) {
    if (error instanceof SendFailure) return endWith(error);
    if (signal.aborted) return endWith(null);
    if (isAway(error)) throw error;
    logFailure("a batch of the audit log could not be sent", error, { destination_id: leased.id });
    return endWith(new SendFailure("internal error; the operator can find the reason in Sealwatch’s log"));
  }
  return endWith(null);
}

/** When a destination is due is judged by the database's clock. */
const END_LEASE = "leased_until = NULL, next_at = now() + make_interval(secs => $4)";

/** Failures count anew after a time in which nothing was tried, as without workers: the longest wait between two attempts is an hour. */
const FAILING_SINCE =
  "CASE WHEN last_failed_at < now() - interval '2 hours' THEN now() ELSE coalesce(failing_since, now()) END";

/** Ends the lease; after a failure with a wait. Somebody who changed the destination meanwhile has ended it already. */
async function endTurn({ item, failure, isDone }: Turn): Promise<void> {
  const { organizationId, id, leasedUntil } = item;
  const own = [organizationId, id, leasedUntil];
  if (failure === null) {
    const waitMs = isDone ? (shapeOf(item.type as DestinationType).intervalMs?.(item.settings) ?? 0) : 0;
    await pool().query(
      `UPDATE destinations SET ${END_LEASE} WHERE organization_id = $1 AND id = $2 AND leased_until = $3`,
      [...own, waitMs / 1000],
    );
    return;
  }
  const failures = item.failures + 1;
  const waitMs = backOffMs(failures, failure.retryAfterMs, Math.random());
  const error = { message: failure.message, status: failure.status, answer: failure.evidence };
  await inTransaction(async (tx) => {
    const [row] = await queryIn<{ last_failed_at: Date }>(tx, {
      text: `UPDATE destinations SET failures = $5, failing_since = ${FAILING_SINCE}, last_failed_at = now(),
          last_error = $6, last_status = $7, last_evidence = $8, ${END_LEASE}
        WHERE organization_id = $1 AND id = $2 AND leased_until = $3 RETURNING last_failed_at`,
      values: [...own, waitMs / 1000, failures, error.message, error.status, error.answer],
    });
    if (row !== undefined) await addError(tx, item, error, row.last_failed_at);
  });
}
