import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { parsedAnswer } from "@/lib/destinations/kinds/answers";
import type { SendContext } from "@/lib/destinations/kinds/kind";
import { assertAccepted, failureOfAnswer, SendFailure } from "@/lib/destinations/kinds/send-failure";

/** Waits between questions, in milliseconds: each twice the one before. */
const FIRST_MS = 200;
const LONGEST_MS = 5_000;
/** Indexing takes seconds. After this the batch is sent again. */
const MAX_WAIT_MS = 60_000;

const ackAnswer = z.object({ acks: z.record(z.string(), z.boolean()) });

/** Asks until every acknowledgement is given. Rejects with SendFailure after a minute, and with the signal's reason when it aborts. */
export async function awaitAcknowledgement(
  url: string,
  headers: Readonly<Record<string, string>>,
  acknowledgements: readonly number[],
  { fetch, signal, now }: Pick<SendContext, "fetch" | "signal" | "now">,
): Promise<void> {
  let open = acknowledgements;
  const until = performance.now() + MAX_WAIT_MS;
  for (let wait = FIRST_MS; open.length > 0; wait = Math.min(2 * wait, LONGEST_MS)) {
    if (performance.now() + wait > until) {
      throw new SendFailure(`the events were not acknowledged within ${MAX_WAIT_MS / 1000} seconds`);
    }
    await delay(wait, undefined, { signal });
    const body = JSON.stringify({ acks: open });
    const answer = await fetch({
      method: "POST",
      url,
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    assertAccepted(answer, now);
    const parsed = parsedAnswer(answer, ackAnswer);
    if (parsed === null) throw failureOfAnswer(answer, now, "the response does not acknowledge events");
    open = open.filter((id) => parsed.acks[String(id)] !== true);
  }
}
