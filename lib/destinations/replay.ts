import { keptFrom, type LogPosition, positionAt, signedEnd } from "@/lib/audit-logs/bundle/log-position";
import { auditPool } from "@/lib/db/audit";
import type { Destination as Row } from "@/lib/db/generated/app/client";
import type * as contract from "@/lib/destinations/contract";
import { changeDestination, NOT_FAILING, readDestinationRow, showDestination } from "@/lib/destinations/destination";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

type Asked = Input<typeof contract.replayDestination>;

/** Moves the place of a destination in the log. What is sent at this moment does not move it again. Throws 400, 403, 404. */
export async function replayDestination(
  principal: Principal,
  asked: Asked,
): Promise<Output<typeof contract.replayDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await readDestinationRow(organizationId, asked.id);
  const { epoch, index } = await positionOf(organizationId, asked);
  const placeOf = ({ epoch, nextIndex }: Row) => ({ next: { epoch, index: Number(nextIndex) } });
  const change = (_: Row, now: Date) => ({
    epoch,
    nextIndex: index,
    scannedIndex: index,
    attemptEnd: null,
    leasedUntil: null,
    ...NOT_FAILING,
    nextAt: now,
    updatedAt: now,
  });
  const row = await changeDestination(principal, asked.id, change, placeOf);
  return showDestination(row);
}

/** The place that was asked for. Throws 400 if it is not kept, or does not exist. */
async function positionOf(organizationId: string, { index, epoch, since }: Asked): Promise<LogPosition> {
  const end = await signedEnd(auditPool(), organizationId);
  if (index === undefined) {
    const found = since === undefined ? null : await positionAt(auditPool(), organizationId, new Date(since));
    const isSigned = found !== null && end !== null && (found.epoch < end.epoch || found.index < end.index);
    if (!isSigned) throw invalid("since", "must not be after the last sealed event");
    return found;
  }
  const place = { epoch: epoch ?? end?.epoch ?? 1, index };
  const kept = await keptFrom(auditPool(), organizationId, place);
  if (kept === null || index >= kept.end) throw invalid("index", `must be less than ${kept?.end ?? 0}`);
  if (kept.first === null || kept.first > index) {
    throw invalid("index", `must be at least ${kept.first ?? kept.end}: earlier events have expired`);
  }
  return place;
}
