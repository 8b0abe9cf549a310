import type pg from "pg";
import type { Entry } from "@/lib/audit-logs/check/judge-event";
import { eventWords } from "@/lib/audit-logs/check/wrong";
import type { RedactionEvent } from "@/lib/audit-logs/contract";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { idTime } from "@/lib/ids";

/** A part of an entry that is not shown, and the event that is said to have redacted it. */
interface Claim {
  index: number;
  id: string;
  part: string;
  by: RedactionEvent | undefined;
}

interface RedactionRow {
  id: string;
  event_id: string | null;
  part: string | null;
}

/**
 * The redacted entries whose redaction is not in the log, each with a sentence: for every part, there must be a later sealed event that
 * redacted it. Those up to `excused` (Unix milliseconds) may have expired.
 */
export async function judgeRedactions(
  client: pg.ClientBase,
  organizationId: string,
  entries: readonly Entry[],
  excused: number,
): Promise<{ index: number; message: string }[]> {
  const claims = entries.flatMap(claimsOf).filter(({ by }) => by === undefined || idTime(by.id) > excused);
  const ids = claims.flatMap(({ by }) => by?.id ?? []);
  const rows = await readRedactionEvents(client, organizationId, ids);
  const found = new Map(rows.map((row) => [row.id, row]));
  const seals = await findSeals(
    ids.map((id) => ({ organization_id: organizationId, id })),
    client,
  );
  const isLegal = ({ id, part, by }: Claim) => {
    const [row, seal] = [found.get(by?.id ?? ""), seals.get(by?.id ?? "")];
    const isSealed = by !== undefined && seal?.index === by.index && seal.epoch === by.epoch;
    return isSealed && row?.event_id === id && row.part === part;
  };
  return claims.flatMap((claim) => {
    const { index, id, part } = claim;
    if (isLegal(claim)) return [];
    return { index, message: `Entry ${index}, ${eventWords(id)}, has no ${part}, and no sealed event redacted it.` };
  });
}

/** The stored events with these ids that redacted something. Without ids, a statement would still plan to read every day. */
async function readRedactionEvents(
  client: pg.ClientBase,
  organizationId: string,
  ids: readonly string[],
): Promise<RedactionRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<RedactionRow>(
    `SELECT id, resource_id AS event_id, details ->> 'part' AS part FROM audit_events
     WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = ANY($3::uuid[]) AND action = 'audit_log.redact'
       AND error_code IS NULL AND coalesce(status_code, 202) = 202`,
    [organizationId, CLASSES, ids],
  );
  return rows;
}

function claimsOf({ index, id, redacted }: Entry): Claim[] {
  if (redacted === undefined) return [];
  const { hashes, redactions } = redacted;
  const said = new Map(Object.entries(redactions));
  return Object.keys(hashes).map((part) => {
    const by = said.get(part);
    // An earlier event redacts nothing, and could be one that has expired.
    return { index, id, part, by: by !== undefined && by.id > id ? by : undefined };
  });
}
