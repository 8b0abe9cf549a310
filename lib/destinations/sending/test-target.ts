import { keptFrom, signedEnd } from "@/lib/audit-logs/bundle/log-position";
import type { Filters } from "@/lib/audit-logs/filters";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import type { Batch } from "@/lib/destinations/batches/batch";
import { readBatch } from "@/lib/destinations/batches/read-batch";
import type { DestinationTest } from "@/lib/destinations/contract";
import { formats } from "@/lib/destinations/formats";
import type { FormatName } from "@/lib/destinations/formats/names";
import type { Exchange, Target } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { senderOf } from "@/lib/destinations/senders";
import { hiderOf } from "@/lib/destinations/sending/hide-secrets";
import { sendContext } from "@/lib/destinations/sending/send-context";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { ApiError } from "@/lib/http/errors";
import { takeTestSlot } from "@/lib/notification-channels/deliveries/test-slots";

/** The newest entries among which a matching event is looked for, and how many are read at once: each has a request and its body. */
const SEARCHED_ENTRIES = 1_000;
const READ_ENTRIES = 50;
const TEST_MS = 30_000;
const AUTHORIZATION = /^(authorization|proxy-authorization): .*$/gim;

interface Tested {
  organizationId: string;
  type: DestinationType;
  format: FormatName;
  filters: Filters;
  target: Target<Record<string, unknown>, Record<string, unknown>>;
}

/**
 * Sends the newest matching event, or the newest event, once. A failure is a result. Throws 409 while no event is sealed, and 503 while
 * too many tests are running.
 */
export async function testTarget(tested: Tested): Promise<DestinationTest> {
  const release = await takeTestSlot(tested.organizationId);
  try {
    return await sendNewest(tested);
  } finally {
    release();
  }
}

async function sendNewest({ organizationId, type, format, filters, target }: Tested): Promise<DestinationTest> {
  const { needsProof = false } = shapeOf(type);
  const batch =
    (await newestEvent(organizationId, filters, needsProof)) ?? (await newestEvent(organizationId, {}, needsProof));
  if (batch === null) throw new ApiError("NOT_SEALED_YET", "No event is sealed yet. Try again after some seconds.");
  const exchanges: Exchange[] = [];
  const context = { ...sendContext(AbortSignal.timeout(TEST_MS), formats[format], exchanges), isTest: true };
  const began = performance.now();
  const error = await senderOf(type)(batch, target, context).then(
    () => null,
    (failure: unknown) => {
      if (failure instanceof SendFailure) return failure.message;
      if (context.signal.aborted) return "no response in time";
      throw failure;
    },
  );
  const hide = hiderOf(target);
  // Also where secrets are a part of what authenticates.
  const masked = (text: string) => hide(text.replace(AUTHORIZATION, "$1: [secret]"));
  return {
    ok: error === null,
    error: error && masked(error),
    milliseconds: Math.round(performance.now() - began),
    exchanges: exchanges.map(({ request, answer }) => ({
      request: { head: masked(request.head), body: masked(request.body) },
      answer: answer && { head: masked(answer.head), body: masked(answer.body) },
    })),
  };
}

/** A batch of the newest matching event. */
async function newestEvent(organizationId: string, filters: Filters, needsProof: boolean): Promise<Batch | null> {
  const end = await signedEnd(auditPool(), organizationId);
  if (end === null) return null;
  const { epoch } = end;
  const query = { organizationId, filters, kept: await scopeOf(organizationId), needsProof: false };
  const searched = { epoch, index: Math.max(0, end.index - SEARCHED_ENTRIES) };
  const oldest = (await keptFrom(auditPool(), organizationId, searched))?.first ?? end.index;
  for (let until = end.index; until > oldest; until -= READ_ENTRIES) {
    const first = Math.max(oldest, until - READ_ENTRIES);
    const step = { ...query, maxEvents: READ_ENTRIES, until };
    const found = await readBatch(auditPool(), step, { epoch, next: first, scanned: first });
    const index = found?.batch?.events.at(-1)?.seal.index;
    if (index === undefined) continue;
    const cursor = { epoch, next: index, scanned: index };
    const one = await readBatch(auditPool(), { ...query, maxEvents: 1, needsProof, until: null }, cursor);
    return one?.batch ?? null;
  }
  return null;
}
