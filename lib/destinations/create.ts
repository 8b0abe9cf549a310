import { refuseLasting } from "@/lib/api-keys/outlive";
import { positionOfEvents, signedEnd } from "@/lib/audit-logs/bundle/log-position";
import { scopeOf, startOf } from "@/lib/audit-logs/scope/scope";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import { auditPool } from "@/lib/db/audit";
import type * as contract from "@/lib/destinations/contract";
import { recordedDestination, refuseSameTarget, SAME_NAME, showDestination } from "@/lib/destinations/destination";
import { requireFormat } from "@/lib/destinations/require-format";
import { parseValues, sealContextOf } from "@/lib/destinations/secrets";
import { shapeOf } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { newSigningSecret } from "@/lib/notification-channels/providers/webhook";
import { secretColumns } from "@/lib/notification-channels/stored-secrets";

/** Events that expire within this time are not worth beginning with: they could expire before they are sent. Milliseconds. */
const MARGIN_MS = 3_600_000;

/** Creates a destination. Returns the signing secret of types that sign, which is never shown again. Throws 400, 402, 403, 409. */
export async function createDestination(
  principal: Principal,
  { type, name, settings, secrets, format, query, start }: Input<typeof contract.createDestination>,
): Promise<Output<typeof contract.createDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const shape = shapeOf(type);
  const values = parseValues(type, { settings, secrets });
  const signingSecret = shape.isSigned ? newSigningSecret() : null;
  const signing = signingSecret === null ? [] : [{ secret: signingSecret, until: null }];
  const place = { organizationId, id: newId() };
  const position = await beginningOf(organizationId, start);
  const now = new Date();
  const row = await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      await refuseLasting(tx, principal, "the destination");
      await requireRoom(tx, organizationId, "destinations", 1);
      await refuseSameTarget(tx, { ...place, type, settings: values.settings });
      const made = await tx.destination.create({
        data: {
          ...{ ...place, name, type, query, format: requireFormat(type, format), settings: values.settings as object },
          ...secretColumns({ fields: values.secrets, signing }, sealContextOf(place)),
          ...{ epoch: position.epoch, nextIndex: position.index, scannedIndex: position.index },
          ...{ nextAt: now, createdAt: now, updatedAt: now },
        },
      });
      event.resource("destination", place.id);
      event.flag("destination_changed");
      recordChanges(event, name, null, recordedDestination(made));
      return made;
    }),
  );
  return { ...(await showDestination(row)), signing_secret: signingSecret };
}

/** Where a new destination begins. */
async function beginningOf(organizationId: string, start: "now" | "oldest") {
  const end = (await signedEnd(auditPool(), organizationId)) ?? { epoch: 1, index: 0 };
  if (start === "now") return end;
  const kept = startOf(await scopeOf(organizationId));
  const first = await positionOfEvents(auditPool(), organizationId, new Date(kept + MARGIN_MS));
  return first ?? end;
}
