import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type Finding, reachabilityCodes } from "@/lib/certificates/findings";
import { newId } from "@/lib/ids";

export interface OpenFinding extends Finding {
  id: string;
}

/** Changes from the open findings to those of an observation; unchanged findings are in no list. */
interface FindingChanges {
  opened: Finding[];
  /** Still open, but with another severity or other evidence. */
  changed: OpenFinding[];
  closed: OpenFinding[];
}

/** While a failure awaits confirmation, open findings stay as they are. */
export const NO_CHANGES: FindingChanges = { opened: [], changed: [], closed: [] };

/**
 * Compares open findings with those of a check. While no certificate can be seen, findings about the certificate stay open,
 * because nothing new is known about it.
 */
export function compareFindings(
  open: readonly OpenFinding[],
  found: readonly Finding[],
  wasServed: boolean,
): FindingChanges {
  const reachability: readonly string[] = reachabilityCodes;
  const judged = open.filter(({ code }) => wasServed || reachability.includes(code));
  // Normalized like stored evidence: without values that JSON cannot represent.
  const plain = found.map((finding): Finding => JSON.parse(JSON.stringify(finding)));
  const changes: FindingChanges = { opened: [], changed: [], closed: [] };
  for (const { id, ...before } of judged) {
    const now = plain.find(({ code }) => code === before.code);
    if (now === undefined) changes.closed.push({ id, ...before });
    else if (!isDeepStrictEqual(now, before)) changes.changed.push({ id, ...now });
  }
  changes.opened = plain.filter(({ code }) => !judged.some((before) => before.code === code));
  return changes;
}

interface EndpointKey {
  organizationId: string;
  endpointId: string;
}

/** The open findings of endpoints that the caller has locked. */
export async function readOpenFindings(
  client: pg.ClientBase,
  places: readonly EndpointKey[],
): Promise<Map<string, OpenFinding[]>> {
  const wanted = places.map(({ organizationId, endpointId }) => ({ o: organizationId, e: endpointId }));
  const { rows } = await client.query<OpenFinding & { endpoint_id: string }>(
    `SELECT f.endpoint_id, f.id, f.code, f.severity, f.evidence
     FROM jsonb_to_recordset($1) AS wanted (o uuid, e uuid)
     JOIN certificate_findings f ON f.organization_id = wanted.o AND f.endpoint_id = wanted.e AND f.closed_at IS NULL`,
    [JSON.stringify(wanted)],
  );
  const byEndpoint = new Map<string, OpenFinding[]>();
  for (const { endpoint_id, ...finding } of rows) {
    byEndpoint.set(endpoint_id, [...(byEndpoint.get(endpoint_id) ?? []), finding]);
  }
  return byEndpoint;
}

/**
 * Writes the changed findings of many endpoints, with the time of each check and the start of each problem. Call it before
 * updating the endpoints.
 */
export async function writeFindings(
  client: pg.ClientBase,
  changes: readonly (EndpointKey & { at: Date; openedAt: Date; changes: FindingChanges })[],
): Promise<void> {
  const ended = changes.flatMap(({ organizationId, at, changes: { closed, changed } }) => [
    ...closed.map(({ id }) => ({ organization_id: organizationId, id, closed_at: at })),
    ...changed.map(({ id, severity, evidence }) => ({ organization_id: organizationId, id, severity, evidence })),
  ]);
  if (ended.length > 0) {
    await client.query(
      `UPDATE certificate_findings f
       SET severity = coalesce(new.severity, f.severity), evidence = coalesce(new.evidence, f.evidence), closed_at = new.closed_at,
         awaits_evaluation = new.closed_at IS NOT NULL, certificate_id = CASE WHEN new.closed_at IS NOT NULL THEN (
           SELECT certificate_id FROM certificate_endpoints e WHERE e.organization_id = f.organization_id AND e.id = f.endpoint_id
         ) END
       FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, severity text, evidence jsonb, closed_at timestamptz)
       WHERE f.organization_id = new.organization_id AND f.id = new.id`,
      [JSON.stringify(ended)],
    );
  }
  const opened = changes.flatMap(({ organizationId, endpointId, openedAt, changes: { opened } }) =>
    opened.map(({ code, severity, evidence }) => ({
      organization_id: organizationId,
      id: newId(),
      endpoint_id: endpointId,
      code,
      severity,
      evidence,
      opened_at: openedAt,
    })),
  );
  if (opened.length === 0) return;
  await client.query(
    `INSERT INTO certificate_findings (organization_id, id, endpoint_id, code, severity, evidence, opened_at)
     SELECT * FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, endpoint_id uuid, code text, severity text,
       evidence jsonb, opened_at timestamptz)`,
    [JSON.stringify(opened)],
  );
}
